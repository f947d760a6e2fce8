package io.metricsaggregator.simulation.weave;

import io.metricsaggregator.simulation.machine.CallTable;
import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDesc;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.DynamicCallSiteDesc;
import java.lang.constant.MethodHandleDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.List;

/**
 * Loads the daemon's classes and the simulation's {@code life} package, and replaces the calls and constants of {@link CallTable} in the daemon's. A
 * watched call that the table lacks gets a call before it that fails the life.
 */
final class Weaver extends ClassLoader {
    private static final String ROOT = "io.metricsaggregator.";
    private static final String SIMULATION = ROOT + "simulation.";
    private static final String LIFE = SIMULATION + "life.";
    private static final ClassDesc CALLS = ClassDesc.of("io.metricsaggregator.simulation.machine.JdkCalls");
    private static final MethodTypeDesc REFUSE = MethodTypeDesc.ofDescriptor("(Ljava/lang/String;)V");

    private final ClassFile files = ClassFile.of(ClassFile.ClassHierarchyResolverOption.of(
            ClassHierarchyResolver.ofResourceParsing(this).cached()));

    Weaver(ClassLoader parent) {
        super(parent);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith(ROOT) || (name.startsWith(SIMULATION) && !name.startsWith(LIFE))) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded == null ? define(name) : loaded;
        }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
        try (InputStream file = getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (file == null) {
                throw new ClassNotFoundException(name);
            }
            byte[] bytes = file.readAllBytes();
            byte[] woven = name.startsWith(LIFE) ? bytes : weave(bytes);
            return defineClass(name, woven, 0, woven.length);
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }

    private byte[] weave(byte[] bytes) {
        ClassModel model = files.parse(bytes);
        String in = model.thisClass().asInternalName();
        return files.transformClass(
                model, ClassTransform.transformingMethodBodies((code, element) -> weave(in, code, element)));
    }

    private static void weave(String in, CodeBuilder code, CodeElement element) {
        if (element instanceof InvokeInstruction call) {
            invoke(in, code, call);
        } else if (element instanceof InvokeDynamicInstruction call) {
            invokeDynamic(in, code, call);
        } else if (element instanceof NewObjectInstruction made
                && CallTable.CONSTRUCTED.get(made.className().asInternalName()) instanceof String other) {
            code.new_(ClassDesc.ofInternalName(other));
        } else if (element instanceof ConstantInstruction constant
                && CallTable.constant(in, constant.constantValue()) instanceof CallTable.Target target) {
            call(code, target);
        } else {
            code.with(element);
        }
    }

    /** Shows what lies on the stack to a method, if there is one. */
    private static void show(CodeBuilder code, CallTable.Target target) {
        if (target != null) {
            code.dup();
            call(code, target);
        }
    }

    private static void call(CodeBuilder code, CallTable.Target target) {
        code.invokestatic(
                ClassDesc.ofInternalName(target.owner()),
                target.name(),
                MethodTypeDesc.ofDescriptor(target.descriptor()));
    }

    private static void invoke(String in, CodeBuilder code, InvokeInstruction call) {
        String owner = call.owner().asInternalName();
        String name = call.name().stringValue();
        String constructed = name.equals("<init>") ? CallTable.CONSTRUCTED.get(owner) : null;
        CallTable.Target target = CallTable.target(owner, name, call.type().stringValue());
        if (constructed != null) {
            code.invokespecial(ClassDesc.ofInternalName(constructed), name, call.typeSymbol());
        } else if (target != null) {
            call(code, target);
        } else {
            if (CallTable.isWatched(owner, name)) {
                code.loadConstant(owner + "." + name + " in " + in);
                code.invokestatic(CALLS, "refuse", REFUSE);
            }
            show(code, CallTable.before(owner, name));
            code.with(call);
            show(code, CallTable.after(owner, name));
        }
    }

    /** Replaces calls that are named as method references, such as {@code System::nanoTime}. */
    private static void invokeDynamic(String in, CodeBuilder code, InvokeDynamicInstruction call) {
        List<ConstantDesc> arguments = new ArrayList<>();
        boolean changed = false;
        for (ConstantDesc each : call.bootstrapArgs()) {
            MethodHandleDesc other = each instanceof DirectMethodHandleDesc method ? replacement(in, method) : null;
            changed |= other != null;
            arguments.add(other == null ? each : other);
        }
        if (changed) {
            code.invokedynamic(DynamicCallSiteDesc.of(
                    call.bootstrapMethod(),
                    call.name().stringValue(),
                    call.typeSymbol(),
                    arguments.toArray(new ConstantDesc[0])));
        } else {
            code.with(call);
        }
    }

    private static MethodHandleDesc replacement(String in, DirectMethodHandleDesc method) {
        String descriptor = method.owner().descriptorString();
        String owner = descriptor.substring(1, descriptor.length() - 1);
        CallTable.Target target = CallTable.target(owner, method.methodName(), method.lookupDescriptor());
        if (target == null) {
            if (CallTable.isWatched(owner, method.methodName())) {
                throw new IllegalStateException(
                        "method reference not simulated: " + owner + "::" + method.methodName() + " in " + in);
            }
            return null;
        }
        return MethodHandleDesc.ofMethod(
                DirectMethodHandleDesc.Kind.STATIC,
                ClassDesc.ofInternalName(target.owner()),
                target.name(),
                MethodTypeDesc.ofDescriptor(target.descriptor()));
    }
}
