package io.sdds.brick.range;

import io.sdds.brick.memory.KeyOrder;
import io.sdds.brick.memory.RecordStore;

/**
 * Makes the heads of a node's keys. A head is eight bytes of a key behind the prefix that all keys of the node share.
 * So eight bytes tell nearly all keys of a node apart, however long the prefix is. After R. Bayer, K. Unterauer,
 * "Prefix B-trees" (ACM TODS 1977).
 */
final class Heads {

    /* All keys of a node begin with the same `prefix` bytes. A key that is searched in the node begins with these
     * bytes, too, if both separators around the node (its fences) do, because all keys between two keys of one
     * prefix have that prefix. Then no key has to be read. At the edges of the tree, and where the keys of a node
     * share more bytes than its fences, the node is *verified*: each search compares the sought key's prefix with
     * that of the first key.
     *
     * A node takes a longer prefix when two of its heads are equal and a longer prefix would tell them apart. A node
     * takes a shorter prefix when a key comes that does not have the prefix. Keys are read for their heads only
     * then. */

    /** Least number of bytes that a prefix must grow by before all heads of a node are made anew. */
    private static final int GROWTH_BYTES_MIN = KeyOrder.HEAD_BYTES / 2;

    private final RecordStore store;
    private final Nodes nodes;

    Heads(RecordStore store, Nodes nodes) {
        this.store = store;
        this.nodes = nodes;
    }

    /**
     * Makes the head of entry {@code index}, whose key has just been set. Shortens the prefix if the key lacks it.
     *
     * @return whether a neighbouring entry has the same head; the caller should then call {@link #fit}
     */
    boolean make(long node, int index) {
        int count = nodes.count(node);
        if (nodes.isVerified(node) && (index == 0 || index == count - 1)) {
            int common = common(node, 0, count - 1);
            if (common < nodes.prefix(node)) {
                remake(node, common);
            }
        }
        long head = store.keyHead(nodes.key(node, index), nodes.prefix(node));
        nodes.setHead(node, index, head);
        return index > 0 && nodes.head(node, index - 1) == head
                || index < count - 1 && nodes.head(node, index + 1) == head;
    }

    /** Number of bytes that the keys of adjacent entries have in common at their beginning. */
    private int common(long node, int first, int last) {
        return store.commonKeyBytes(nodes.key(node, first), nodes.key(node, last));
    }

    /** Makes all heads anew, for a prefix that all keys have. */
    private void remake(long node, int prefix) {
        nodes.setPrefix(node, prefix);
        int count = nodes.count(node);
        for (int i = 0; i < count; i++) {
            nodes.setHead(node, i, store.keyHead(nodes.key(node, i), prefix));
        }
    }

    /** Adapts the heads of a node whose fences have come closer together. The fences are as for {@link #fit}. */
    void narrow(long node, long lowerFence, long upperFence) {
        if (nodes.isVerified(node)) {
            verify(node, fenceCommon(lowerFence, upperFence));
        }
        fitIfEqual(node, lowerFence, upperFence);
    }

    /** Calls {@link #fit} if two heads are equal. */
    private void fitIfEqual(long node, long lowerFence, long upperFence) {
        int last = nodes.count(node) - 1;
        for (int i = 0; i < last; i++) {
            if (nodes.head(node, i) == nodes.head(node, i + 1)) {
                fit(node, lowerFence, upperFence);
                return;
            }
        }
    }

    /**
     * Takes a longer prefix if the longer prefix tells more keys apart.
     *
     * @param lowerFence the separator before the node, 0 if there is none
     * @param upperFence the separator behind the node, 0 if there is none
     */
    void fit(long node, long lowerFence, long upperFence) {
        int last = nodes.count(node) - 1;
        long differing = nodes.head(node, 0) ^ nodes.head(node, last);
        if (Long.numberOfLeadingZeros(differing << 1) < GROWTH_BYTES_MIN * Byte.SIZE) {
            return;
        }
        if (common(node, 0, last) - nodes.prefix(node) >= GROWTH_BYTES_MIN) {
            renew(node, lowerFence, upperFence);
        }
    }

    /**
     * Chooses the prefix of a node with keys anew, and makes all its heads anew. The fences are as for {@link #fit}.
     */
    void renew(long node, long lowerFence, long upperFence) {
        int common = common(node, 0, nodes.count(node) - 1);
        int unverified = fenceCommon(lowerFence, upperFence);
        remake(node, common - unverified < GROWTH_BYTES_MIN ? unverified : common);
        verify(node, unverified);
    }

    /**
     * Adapts the heads of a node whose fences have changed, and which has got keys with their heads from a neighbour.
     *
     * @param sameHeads whether the heads of both nodes leave out the same prefix
     */
    void settle(long node, boolean sameHeads, long lowerFence, long upperFence) {
        if (!sameHeads || common(node, 0, nodes.count(node) - 1) < nodes.prefix(node)) {
            renew(node, lowerFence, upperFence);
        } else {
            verify(node, fenceCommon(lowerFence, upperFence));
            fitIfEqual(node, lowerFence, upperFence);
        }
    }

    private void verify(long node, int unverified) {
        nodes.setVerified(node, nodes.prefix(node) > unverified);
    }

    private int fenceCommon(long lowerFence, long upperFence) {
        return lowerFence == 0 || upperFence == 0 ? 0 : store.commonKeyBytes(lowerFence, upperFence);
    }
}
