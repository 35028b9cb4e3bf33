package io.sdds.client.internal.analyze;

/**
 * A sample of the records of a table by their versions, which bricks can evaluate. Records are in the sample or not
 * independently of their keys and values, and of the order in which they were written.
 */
final class VersionSample {
    /** A prime, 2^31 - 1. The square of a smaller number fits a bigint. */
    private static final long MODULUS = Integer.MAX_VALUE;

    private VersionSample() {}

    /**
     * The condition that records of the sample meet. Versions that follow each other would give every n-th record,
     * which is no sample where equal values were written one after the other; so the version is squared twice by a
     * prime modulus, which scatters the versions.
     *
     * @param fraction of the records, 0 to 1
     */
    static String condition(double fraction) {
        String version = "_version % " + MODULUS;
        String once = "((" + version + ") * (" + version + ") + 1013904223) % " + MODULUS;
        return "((" + once + ") * (" + once + ") + 1664525) % " + MODULUS + " < "
                + Math.max(1, Math.round(fraction * MODULUS));
    }
}
