package io.sdds.brick.erasure;

import static org.assertj.core.api.Assumptions.assumeThat;

/** Kernels for tests. */
final class Kernels {
    private Kernels() {}

    /** Makes a kernel. Skips the test on machines without libisal. */
    static ErasureKernel open(KernelType type) {
        if (type == KernelType.ISAL) {
            assumeThat(type.isAvailable())
                    .as("libisal is not installed; apt-get install libisal2")
                    .isTrue();
        }
        return type.open();
    }
}
