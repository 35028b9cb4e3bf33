package io.sdds.core.protocol;

import java.util.Locale;

/**
 * The first frame on a link, from both ends ({@link HelloFrame}). It names the sender, its versions and its features.
 * The dialer sends its hello first; the other end answers with its own hello or closes. Both ends then use the highest
 * version and all features that both have.
 *
 * @param versionMin lowest protocol version that this end speaks
 * @param versionMax highest protocol version that this end speaks
 * @param features the optional parts of the protocol that this end supports: a set of bits of {@link Features}
 * @param name the operator's name of a brick or coordinator; the name in a client's settings
 * @param incarnation of a brick, 0 before its registration; the token of a client that sends datagrams
 *     ({@link DatagramFrame}); 0 for others
 * @param clusterHigh first half of the id of the cluster that this end belongs to; both halves are 0 when this end does
 *     not know it yet
 * @param clusterLow second half of the id of the cluster
 * @param build version and build of this end ({@link Build#text}); empty for builds that do not tell it
 */
public record Hello(
        int versionMin,
        int versionMax,
        long features,
        Role role,
        String name,
        long incarnation,
        long clusterHigh,
        long clusterLow,
        String build) {

    /** Longest part of a peer's name or build that an error holds. */
    private static final int TEXT_CHARS_MAX = 64;

    /** The role of an end of a link. */
    public enum Role {
        CLIENT,
        BRICK,
        /**
         * A brick's second connection to another: slices and their changes, so that they never delay protocol traffic.
         */
        BRICK_BULK,
        COORDINATOR,
        /** A role of a later version; {@link HelloFrame} refuses it. */
        UNKNOWN;

        /** For log lines and errors: {@code brick}. */
        public String word() {
            return this == BRICK_BULK ? BRICK.word() : name().toLowerCase(Locale.ROOT);
        }
    }

    /** The hello of this code, with all its versions and features, of a process that does not know its cluster. */
    public static Hello of(Role role, String name, long incarnation) {
        return new Hello(
                Limits.PROTOCOL_VERSION_MIN,
                Limits.PROTOCOL_VERSION,
                Features.ALL,
                role,
                name,
                incarnation,
                0,
                0,
                Build.text());
    }

    /** This hello with other features. */
    public Hello withFeatures(long set) {
        return new Hello(versionMin, versionMax, set, role, name, incarnation, clusterHigh, clusterLow, build);
    }

    /** This hello with another range of versions. */
    public Hello withVersions(int min, int max) {
        return new Hello(min, max, features, role, name, incarnation, clusterHigh, clusterLow, build);
    }

    /** This hello of a process of a cluster. */
    public Hello withCluster(ClusterId cluster) {
        return new Hello(
                versionMin, versionMax, features, role, name, incarnation, cluster.high(), cluster.low(), build);
    }

    /** This hello of a process of another build. */
    public Hello withBuild(String other) {
        return new Hello(versionMin, versionMax, features, role, name, incarnation, clusterHigh, clusterLow, other);
    }

    /** The cluster that the sender belongs to, if the sender knows it. */
    public ClusterId cluster() {
        return new ClusterId(clusterHigh, clusterLow);
    }

    /**
     * Highest protocol version that both ends speak.
     *
     * @throws ProtocolViolation when they have no version in common
     */
    public int commonVersion(Hello other) {
        int version = Math.min(versionMax, other.versionMax);
        if (version < Math.max(versionMin, other.versionMin)) {
            throw new ProtocolViolation(
                    versions() + ", " + other.versions() + ": use builds with a common protocol version");
        }
        return version;
    }

    /**
     * Who speaks which versions of the protocol: {@code brick b1 of version 0.1.0 build 1a2b3c4d speaks protocol 1}.
     */
    private String versions() {
        String range = versionMin == versionMax ? "" + versionMax : versionMin + " to " + versionMax;
        return sender() + " speaks protocol " + range;
    }

    /**
     * Role, name and build of the sender, for log lines and errors: {@code client app of version 0.1.0 build 1a2b3c4d}.
     */
    public String sender() {
        return role.word() + (name.isEmpty() ? "" : " " + Printable.of(name, TEXT_CHARS_MAX)) + " of "
                + (build.isEmpty() ? "an unknown version" : "version " + Printable.of(build, TEXT_CHARS_MAX));
    }
}
