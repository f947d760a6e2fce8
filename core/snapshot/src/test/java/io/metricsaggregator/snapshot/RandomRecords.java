package io.metricsaggregator.snapshot;

import io.metricsaggregator.snapshot.figures.ClockOffset;
import io.metricsaggregator.snapshot.figures.ServiceClasses;
import io.metricsaggregator.snapshot.figures.Slices;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Records whose components have random values: distinct texts, numbers, and null where that is allowed. */
final class RandomRecords {
    private final Random random;
    /** A class has judgements, which have no classes of their own. */
    private boolean withinClasses;
    /** In every text, since rows of one name are read as one. */
    private int texts;

    RandomRecords(Random random) {
        this.random = random;
    }

    <T extends Record> T of(Class<T> type) {
        RecordComponent[] components = type.getRecordComponents();
        Class<?>[] types = new Class<?>[components.length];
        Object[] values = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            types[i] = components[i].getType();
            boolean nullable = components[i].getAnnotatedType().isAnnotationPresent(Nullable.class);
            boolean nested = withinClasses;
            withinClasses |= types[i] == ServiceClasses.class;
            boolean without = nested && types[i] == ServiceClasses.class;
            values[i] = without || (nullable && random.nextBoolean()) ? null : value(components[i].getGenericType());
            withinClasses = nested;
        }
        try {
            var constructor = type.getDeclaredConstructor(types);
            constructor.setAccessible(true);
            return constructor.newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError("no " + type, e);
        }
    }

    private Object value(Type type) {
        if (type instanceof ParameterizedType generic) {
            Type[] arguments = generic.getActualTypeArguments();
            return generic.getRawType() == Map.class ? map(arguments[0], arguments[1]) : list(arguments[0]);
        }
        Class<?> plain = (Class<?>) type;
        if (plain == ClockOffset.class) {
            return new ClockOffset(random.nextLong(), random.nextInt(1 << 30));
        }
        if (plain.isRecord()) {
            return of(plain.asSubclass(Record.class));
        }
        if (plain.isEnum()) {
            return plain.getEnumConstants()[random.nextInt(plain.getEnumConstants().length)];
        }
        return switch (plain.getSimpleName()) {
            case "long", "Long" -> random.nextLong() >> random.nextInt(64);
            case "int", "Integer" -> 1 + (random.nextInt() >>> 2 >> random.nextInt(30));
            case "double", "Double" -> random.nextDouble() - 0.5;
            case "boolean", "Boolean" -> random.nextBoolean();
            case "String" -> "é".repeat(random.nextInt(2)) + random.nextInt(1_000) + "-" + ++texts;
            case "Object" -> random.nextBoolean() ? (Object) random.nextBoolean() : random.nextDouble();
            case "byte[]" -> bytes();
            case "long[]" ->
                random.longs(5)
                        .map(each -> each % 3 == 0 ? Slices.NOT_MEASURED : each)
                        .toArray();
            default -> throw new AssertionError("a component of " + plain);
        };
    }

    private byte[] bytes() {
        byte[] bytes = new byte[random.nextInt(300)];
        random.nextBytes(bytes);
        return bytes;
    }

    private List<Object> list(Type element) {
        List<Object> list = new ArrayList<>();
        for (int i = random.nextInt(20) - 3; i > 0; i--) {
            list.add(value(element));
        }
        return list;
    }

    private Map<Object, Object> map(Type key, Type element) {
        Map<Object, Object> map = new LinkedHashMap<>();
        for (int i = random.nextInt(20) - 3; i > 0; i--) {
            map.put(value(key), value(element));
        }
        return map;
    }
}
