package io.metricsaggregator.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.alwaysTrue;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The dependency rules of the packages. */
class PackagesTest {
    private static final String BASE = "io.metricsaggregator.";
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .withImportOption(location -> !location.contains("-tests.jar"))
            .importPackages("io.metricsaggregator");

    @Test
    void everyPackageHasADependencyRule() {
        List<String> packages = CLASSES.stream()
                .map(type -> type.getPackageName().substring(BASE.length()))
                .distinct()
                .sorted()
                .toList();
        org.assertj.core.api.Assertions.assertThat(packages).containsExactlyElementsOf(PackageRules.MAY_KNOW.keySet());
    }

    @Test
    void eachPackageUsesOnlyAllowedPackages() {
        PackageRules.MAY_KNOW.forEach((room, known) -> {
            List<String> allowed =
                    new ArrayList<>(List.of("java..", "jdk.net..", "org.jspecify..", "org.slf4j..", BASE + room));
            known.forEach(other -> allowed.add(BASE + other));
            // The factory is the only class that uses the implementations.
            if (room.equals("transport")) {
                allowed.add(BASE + "transport.zmtp");
                allowed.add(BASE + "transport.jeromq");
            }
            allowed.addAll(PackageRules.LIBRARIES.getOrDefault(room, List.of()));
            classes()
                    .that()
                    .resideInAPackage(BASE + room)
                    .should()
                    .onlyDependOnClassesThat()
                    .resideInAnyPackage(allowed.toArray(new String[0]))
                    .check(CLASSES);
        });
    }

    @Test
    void onlyTheFactoryUsesTheTransportImplementations() {
        noClasses()
                .that()
                .doNotHaveFullyQualifiedName(BASE + "transport.Transports")
                .and()
                .resideOutsideOfPackages(BASE + "transport.zmtp", BASE + "transport.jeromq")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(BASE + "transport.zmtp", BASE + "transport.jeromq")
                .check(CLASSES);
    }

    @Test
    void theFoldAndTheRegistryUseNoClockFileSocketOrThread() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        BASE + "fold..",
                        BASE + "ledger",
                        BASE + "text",
                        BASE + "registry..",
                        BASE + "parts",
                        BASE + "event..",
                        BASE + "codec",
                        BASE + "catalogue",
                        BASE + "snapshot",
                        BASE + "snapshot.fields",
                        BASE + "snapshot.figures",
                        BASE + "snapshot.telemetry..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.nio.file..", "java.nio.channels..", "java.net..", "java.util.concurrent..")
                .orShould()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .dependOnClassesThat()
                .belongToAnyOf(Thread.class)
                .check(CLASSES);
    }

    @Test
    void modulesHaveNoDependencyCycles() {
        // The ports and their implementations count as one package here.
        slices().matching(BASE + "(*)..").should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void packagesHaveNoDependencyCyclesExceptTheTransportFactory() {
        slices().matching(BASE + "(**)")
                .should()
                .beFreeOfCycles()
                .ignoreDependency(name(BASE + "transport.Transports"), alwaysTrue())
                .check(CLASSES);
    }

    @Test
    void classesOfAnalysisRunsAndReportHaveNoDependencyCycles() {
        PackageRules.MAY_KNOW.keySet().stream()
                .filter(room -> room.matches("analysis|verdict|runs|report.*"))
                .forEach(PackagesTest::classesAreFreeOfCycles);
    }

    @Test
    void classesOfTheZmtpPeerHaveNoDependencyCycles() {
        classesAreFreeOfCycles("transport.zmtp");
    }

    @Test
    void classes_of_the_engine_ingest_and_tokens_have_no_dependency_cycles() {
        PackageRules.MAY_KNOW.keySet().stream()
                .filter(room -> room.matches("registry.*|parts|fold.*|ledger|storage|ingest|text|tokens"))
                .forEach(PackagesTest::classesAreFreeOfCycles);
    }

    /** Fails on a dependency cycle of top-level classes in a package; a class and its nested classes count as one. */
    private static void classesAreFreeOfCycles(String room) {
        slices().assignedFrom(new SliceAssignment() {
                    @Override
                    public SliceIdentifier getIdentifierOf(JavaClass type) {
                        return type.getPackageName().equals(BASE + room)
                                ? SliceIdentifier.of(type.getName().replaceFirst("\\$.*", ""))
                                : SliceIdentifier.ignore();
                    }

                    @Override
                    public String getDescription() {
                        return "top-level classes of " + room;
                    }
                })
                .should()
                .beFreeOfCycles()
                .check(CLASSES);
    }

    @Test
    void foldsOfTelemetryHaveNoDependencyCycles() {
        slices().matching(BASE + "telemetry.(*)..").should().beFreeOfCycles().check(CLASSES);
        noClasses()
                .that()
                .resideInAPackage(BASE + "telemetry.*")
                .should()
                .dependOnClassesThat()
                .resideInAPackage(BASE + "telemetry")
                .because("the package that wires the folds depends on them, and not vice versa")
                .check(CLASSES);
    }

    @Test
    void noPackageIsACatchAll() {
        noClasses()
                .should()
                .resideInAnyPackage("..util..", "..utils..", "..common..", "..helper..", "..manager..", "..impl..")
                .check(CLASSES);
    }
}
