package io.sdds.brick.map;

import io.sdds.core.protocol.ClusterId;
import io.sdds.core.query.BloomFilter;

/**
 * Where the versions of a table's records begin.
 *
 * <p>A version stands for one value of a key for ever, also after the records were lost, the table was dropped and made
 * again, or the cluster was made anew. So each partition that begins empty begins to count above a number that follows
 * from three things: the id of its cluster, which is random; the number of its table, which the cluster gives only
 * once; and its epoch, which is higher than that of an earlier partition of its number.
 *
 * <pre>
 *  bit 63          62 bits                      0
 *  0       a hash of the cluster and the table, plus (epoch - 1) * 2^36
 * </pre>
 *
 * <p>Partitions of two epochs of a table never share a version while each gives at most 2^36. Two tables whose
 * partitions give n versions each share one by chance, with a probability of n / 2^61.
 */
final class FirstVersions {
    private static final int EPOCH_VERSIONS_LOG = 36;
    private static final int UNUSED_BITS = 2;

    private FirstVersions() {}

    /** A number of the table's own. The versions of its partitions are above it. */
    static long base(ClusterId cluster, int table) {
        return BloomFilter.hash(BloomFilter.hash(cluster.high(), cluster.low()), table) >>> UNUSED_BITS;
    }

    /** The versions of a partition that begins empty in an epoch begin above this one. */
    static long before(long base, long epoch) {
        return base + (Math.max(0, epoch - 1) << EPOCH_VERSIONS_LOG);
    }
}
