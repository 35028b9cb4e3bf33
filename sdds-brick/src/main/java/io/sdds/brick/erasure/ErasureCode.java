package io.sdds.brick.erasure;

import org.jspecify.annotations.Nullable;

/**
 * The code of a parity group with m data columns and k parities: computes parities, and lost shards from any m others.
 *
 * <p>Shards are numbered: c below m is data column c, m + p is parity p. One thread uses a code. Encoding allocates
 * nothing, and neither does decoding the same loss again.
 */
public final class ErasureCode {
    private final ErasureKernel kernel;
    private final int columns;
    private final int parities;
    private final ErasureKernel.Product encoding;
    private final Shards inputs;
    private final Shards outputs;

    // The loss that was decoded last, because recovery decodes one loss slice by slice.
    private int lastKnown;
    private int lastWanted;
    private int[] knownShards = {};
    private int[] wantedShards = {};
    private ErasureKernel.@Nullable Product decoding;

    /**
     * Prepares a code.
     *
     * @param columns m, from 1 to {@link CodingMatrix#COLUMNS_MAX}
     * @param parities k, from 1 to {@link CodingMatrix#PARITIES_MAX}
     */
    public ErasureCode(ErasureKernel kernel, int columns, int parities) {
        if (columns < 1 || columns > CodingMatrix.COLUMNS_MAX || parities < 1 || parities > CodingMatrix.PARITIES_MAX) {
            throw new IllegalArgumentException("no code of " + columns + " columns and " + parities + " parities");
        }
        this.kernel = kernel;
        this.columns = columns;
        this.parities = parities;
        encoding = kernel.product(CodingMatrix.encoding(columns, parities));
        inputs = new Shards(columns);
        outputs = new Shards(columns + parities);
    }

    /** The kernel that computes. */
    public ErasureKernel kernel() {
        return kernel;
    }

    /** Number of data columns, m. */
    public int columns() {
        return columns;
    }

    /** Number of parities, k. */
    public int parities() {
        return parities;
    }

    /**
     * Computes all parities.
     *
     * @param data the m data shards
     * @param parity the k parity shards, which are overwritten
     * @param length bytes of each shard, 0 or more
     */
    public void encode(Shards data, Shards parity, int length) {
        require(data.size() >= columns, "data shards", data.size());
        require(parity.size() >= parities, "parity shards", parity.size());
        encoding.apply(data, parity, length);
    }

    /**
     * Computes shards from others.
     *
     * @param known the shards that can be read, bit i for shard i; at least m. If there are more, the lowest m are
     *     read.
     * @param wanted the shards to compute, bit i for shard i; none of the known ones. Shards that are neither known nor
     *     wanted are not touched.
     * @param shards all m + k shards; the wanted ones are overwritten
     * @param length bytes of each shard, 0 or more
     * @throws IllegalArgumentException if fewer than m shards are known, or a wanted shard is known
     */
    public void decode(int known, int wanted, Shards shards, int length) {
        int all = (1 << (columns + parities)) - 1;
        require(((known | wanted) & ~all) == 0 && (known & wanted) == 0, "known shards", known);
        require(Integer.bitCount(known) >= columns, "known shards", known);
        require(shards.size() >= columns + parities, "shards", shards.size());
        if (wanted == 0) {
            return;
        }
        ErasureKernel.Product product = decoding(known, wanted);
        for (int i = 0; i < columns; i++) {
            inputs.set(i, shards, knownShards[i]);
        }
        for (int i = 0; i < wantedShards.length; i++) {
            outputs.set(i, shards, wantedShards[i]);
        }
        product.apply(inputs, outputs, length);
        inputs.clear();
        outputs.clear();
    }

    private ErasureKernel.Product decoding(int known, int wanted) {
        if (decoding == null || known != lastKnown || wanted != lastWanted) {
            knownShards = lowest(known, columns);
            wantedShards = lowest(wanted, Integer.bitCount(wanted));
            decoding = kernel.product(CodingMatrix.decoding(columns, knownShards, wantedShards));
            lastKnown = known;
            lastWanted = wanted;
        }
        return decoding;
    }

    private static int[] lowest(int bits, int count) {
        int[] lowest = new int[count];
        int rest = bits;
        for (int i = 0; i < count; i++) {
            lowest[i] = Integer.numberOfTrailingZeros(rest);
            rest &= rest - 1;
        }
        return lowest;
    }

    private void require(boolean holds, String what, int value) {
        if (!holds) {
            throw new IllegalArgumentException(
                    what + ": " + value + " does not fit a code of " + columns + " + " + parities);
        }
    }
}
