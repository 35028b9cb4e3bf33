package io.sdds.testkit;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.sdds.core.model.Shipping;
import io.sdds.core.model.Splitting;
import io.sdds.core.protocol.DatagramFrame;
import java.util.Map;
import java.util.Set;

/** The rules on who may import what, over the modules the roles are made of. */
@AnalyzeClasses(
        packages = {"io.sdds.core", "io.sdds.client", "io.sdds.brick", "io.sdds.coordinator", "io.sdds.sim"},
        importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    /**
     * Pure logic: time comes as an argument, randomness is handed in, effects leave through the outbox. What is not in
     * it is a shell: it imports the logic and owns threads, files, sockets and clocks.
     */
    private static final DescribedPredicate<JavaClass> LOGIC = resideInAnyPackage(
                    "io.sdds.core..", "io.sdds.brick..", "io.sdds.coordinator..", "io.sdds.client.internal.routing..")
            .and(not(resideInAnyPackage("..netty..", "io.sdds.core.shell..", "io.sdds.brick.shell..")))
            .and(not(resideInAnyPackage("io.sdds.coordinator.raft..", "io.sdds.coordinator.shell..")))
            .as("logic");

    private static final String EXPERIMENT = "io.sdds.brick.experiment..";

    /** Iteration order of these is salted in every JVM, which would make runs of one seed differ. */
    private static final DescribedPredicate<JavaAccess<?>> SALTED_COLLECTION = describe(
            "Set.of, Set.copyOf, Map.of, Map.ofEntries or Map.copyOf",
            access -> isOwnedBy(access, Set.class, "of", "copyOf")
                    || isOwnedBy(access, Map.class, "of", "ofEntries", "copyOf"));

    private static final DescribedPredicate<JavaAccess<?>> CLOCK_OR_CHANCE = describe(
            "a clock or a source of randomness of the JVM",
            access -> isOwnedBy(access, System.class, "nanoTime", "currentTimeMillis", "identityHashCode")
                    || isOwnedBy(access, java.time.Instant.class, "now")
                    || isOwnedBy(access, Math.class, "random")
                    || isOwnedBy(access, java.util.UUID.class, "randomUUID")
                    || isOwnedBy(access, java.util.Collections.class, "shuffle"));

    @ArchTest
    static final ArchRule rolesNeverImportEachOther = slices().matching("io.sdds.(client|brick|coordinator)..")
            .should()
            .notDependOnEachOther()
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule coreImportsNoRole = noClasses()
            .that(resideInAPackage("io.sdds.core.."))
            .should()
            .dependOnClassesThat(resideInAnyPackage("io.sdds.client..", "io.sdds.brick..", "io.sdds.coordinator.."))
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule channelsOnlyInNettyPackages = noClasses()
            .that(not(resideInAPackage("..netty..")))
            .should()
            .dependOnClassesThat(resideInAnyPackage("io.netty.channel..", "io.netty.bootstrap..", "io.netty.handler.."))
            .allowEmptyShould(true);

    /** Applications choose their JSON themselves: module sdds-jackson is for those that have Jackson. */
    @ArchTest
    static final ArchRule clientsNeedNoJackson = noClasses()
            .that(resideInAnyPackage("io.sdds.core..", "io.sdds.client.."))
            .should()
            .dependOnClassesThat(resideInAPackage("com.fasterxml.jackson.."));

    @ArchTest
    static final ArchRule raftLibraryOnlyInItsPackage = noClasses()
            .that(not(resideInAPackage("io.sdds.coordinator.raft..")))
            .should()
            .dependOnClassesThat(resideInAPackage("org.apache.ratis.."))
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule logicOwnsNoThreadsFilesOrSockets = noClasses()
            .that(LOGIC)
            .should()
            .dependOnClassesThat(describe(
                    "are threads, executors, random sources, files or sockets",
                    type -> type.isEquivalentTo(Thread.class)
                            || type.isEquivalentTo(java.util.Random.class)
                            || type.isEquivalentTo(java.util.concurrent.ThreadLocalRandom.class)
                            || type.isAssignableTo(java.util.concurrent.Executor.class)
                            || type.getName().startsWith("java.io.File")
                            || type.isEquivalentTo(java.io.RandomAccessFile.class)
                            || type.getPackageName().startsWith("java.nio.file")
                            || type.getPackageName().startsWith("java.nio.channels")
                            || type.isAssignableTo(java.net.Socket.class)
                            || type.isAssignableTo(java.net.ServerSocket.class)
                            || type.isAssignableTo(java.net.DatagramSocket.class)))
            .allowEmptyShould(true);

    /** These compute, or get memory: what they return depends on their arguments alone, but for addresses. */
    @ArchTest
    static final ArchRule nativeFunctionsAreCalledInTwoPackages = noClasses()
            .that(not(resideInAnyPackage("io.sdds.brick.memory..", "io.sdds.brick.erasure..")))
            .should()
            .dependOnClassesThat(describe(
                    "find and call native functions",
                    type -> type.isEquivalentTo(java.lang.foreign.Linker.class)
                            || type.isEquivalentTo(java.lang.foreign.SymbolLookup.class)))
            .allowEmptyShould(true);

    /** A JVM may lack the module of the Vector API, and then loads no class that names it. */
    @ArchTest
    static final ArchRule vectorApiIsUsedByOneClass = noClasses()
            .that()
            .doNotHaveFullyQualifiedName("io.sdds.brick.erasure.VectorKernel")
            .should()
            .dependOnClassesThat(resideInAPackage("jdk.incubator.vector.."))
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule logicReadsNoClockAndDrawsNoLots =
            noClasses().that(LOGIC).should().accessTargetWhere(CLOCK_OR_CHANCE).allowEmptyShould(true);

    @ArchTest
    static final ArchRule logicIteratesInOneOrder = noClasses()
            .that(LOGIC)
            .should()
            .accessTargetWhere(SALTED_COLLECTION)
            .because("their iteration order differs from JVM to JVM: use LinkedHashMap, TreeMap, EnumMap or List")
            .allowEmptyShould(true);

    /** The constants of the options that select a variant of the papers for measuring. */
    private static final DescribedPredicate<JavaAccess<?>> VARIANT = describe(
            "an experimental variant",
            access -> isOwnedBy(access, Splitting.class, "ATOMIC") || isOwnedBy(access, Shipping.class, "INDIVIDUAL"));

    @ArchTest
    static final ArchRule bricksDecideAboutVariantsInOnePackage = noClasses()
            .that(resideInAPackage("io.sdds.brick.."))
            .and(not(resideInAPackage(EXPERIMENT)))
            .should()
            .accessTargetWhere(VARIANT)
            .orShould()
            .dependOnClassesThat(assignableTo(DatagramFrame.class));

    @ArchTest
    static final ArchRule variantsAreThere = classes()
            .that(resideInAPackage(EXPERIMENT))
            .and()
            .haveSimpleName("SplitVariants")
            .should()
            .accessTargetWhere(VARIANT);

    @ArchTest
    static final ArchRule theProductNeedsNoTools = noClasses()
            .that(resideInAnyPackage("io.sdds.core..", "io.sdds.client..", "io.sdds.brick..", "io.sdds.coordinator.."))
            .should()
            .dependOnClassesThat(
                    resideInAnyPackage("io.sdds.testkit..", "io.sdds.sim..", "io.sdds.bench..", "io.sdds.cli.."));

    @ArchTest
    static final ArchRule packagesOfTheCoordinatorsNeedEachOtherInOneDirection =
            slices().matching("io.sdds.coordinator.(**)").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule packagesOfParityNeedEachOtherInOneDirection =
            slices().matching("io.sdds.brick.parity.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule packagesOfTheSimulatorNeedEachOtherInOneDirection =
            slices().matching("io.sdds.sim.(*)..").should().beFreeOfCycles();

    private static boolean isOwnedBy(JavaAccess<?> access, Class<?> owner, String... names) {
        return access.getTargetOwner().isEquivalentTo(owner)
                && java.util.List.of(names).contains(access.getTarget().getName());
    }
}
