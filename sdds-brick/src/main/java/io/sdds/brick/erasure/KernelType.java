package io.sdds.brick.erasure;

import java.util.Locale;

/** The implementations of {@link ErasureKernel}, from the fastest to the slowest. */
public enum KernelType {
    /** Native calls of ISA-L, where libisal is installed. */
    ISAL,
    /** The Java Vector API, where the JVM was started with {@code --add-modules jdk.incubator.vector}. */
    VECTOR,
    /** JavaReedSolomon, everywhere. */
    REED_SOLOMON;

    private static final String VECTOR_MODULE = "jdk.incubator.vector";

    /** The fastest kernel that this JVM can run. */
    public static KernelType fastest() {
        for (KernelType type : values()) {
            if (type.isAvailable()) {
                return type;
            }
        }
        return REED_SOLOMON;
    }

    /** Whether this JVM can run the kernel. */
    public boolean isAvailable() {
        return switch (this) {
            case ISAL -> IsalLibrary.INSTALLED != null;
            case VECTOR -> ModuleLayer.boot().findModule(VECTOR_MODULE).isPresent();
            case REED_SOLOMON -> true;
        };
    }

    /**
     * Makes a kernel, for use by one thread.
     *
     * @throws IllegalStateException if this JVM can't run the kernel, with what is missing
     */
    public ErasureKernel open() {
        if (!isAvailable()) {
            throw new IllegalStateException("'" + this + "' can't be used, because " + missing());
        }
        return switch (this) {
            case ISAL -> new IsalKernel();
            case VECTOR -> new VectorKernel();
            case REED_SOLOMON -> new ReedSolomonKernel();
        };
    }

    /** The reason for which this JVM can't run the kernel, as a clause. */
    public String missing() {
        return switch (this) {
            case ISAL -> "libisal can't be loaded (Debian: apt-get install libisal2)";
            case VECTOR -> "the JVM was started without --add-modules=" + VECTOR_MODULE;
            case REED_SOLOMON -> "nothing is missing";
        };
    }

    /** The name of the kernel: {@code isal}, {@code vector} or {@code reed-solomon}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
