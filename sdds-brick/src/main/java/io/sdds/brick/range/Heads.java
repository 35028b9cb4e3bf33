package io.sdds.brick.range;

import io.sdds.brick.memory.KeyOrder;
import io.sdds.brick.memory.RecordStore;

/**
 * The heads of a node's keys, and the prefix that they leave out: so that eight bytes tell nearly all keys of a node
 * apart, however much they have in common. After R. Bayer, K. Unterauer, "Prefix B-trees" (ACM TODS 1977).
 */
final class Heads {

    /* All keys of a node begin with the same `prefix` bytes. A key that is searched in the node has them too if the two
     * separators around the node (its fences) have them: all keys between two that begin alike begin so. That costs no
     * look at a key. At the edges of the tree, and where keys of a node have more in common than its fences, the node
     * is *verified*: each search compares the prefix with that of the node's first key.
     *
     * A node takes a longer prefix when two of its heads are equal and that would make a difference; a shorter one when
     * a key comes that needs it. Only then keys are read to make heads of them. */

    /** Bytes that a prefix must grow by for heads to be made anew. */
    private static final int GROWTH_BYTES_MIN = KeyOrder.HEAD_BYTES / 2;

    private final RecordStore store;
    private final Nodes nodes;

    Heads(RecordStore store, Nodes nodes) {
        this.store = store;
        this.nodes = nodes;
    }

    /**
     * Makes the head of entry {@code index}, whose key has just been set. A shorter prefix is taken if need be.
     *
     * @return whether a neighbour has the same head: then the node should be {@link #fit}
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

    /** How many bytes the keys of some adjacent entries have in common. */
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

    /** Puts a node right whose fences are closer together than they were. Fences as with {@link #fit}. */
    void narrow(long node, long lowerFence, long upperFence) {
        if (nodes.isVerified(node)) {
            verify(node, fenceCommon(lowerFence, upperFence));
        }
        fitIfEqual(node, lowerFence, upperFence);
    }

    /** As {@link #fit}, if two heads are equal. */
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
     * Takes a longer prefix if that helps.
     *
     * @param lowerFence the separator before the node, 0 if none
     * @param upperFence the separator behind the node, 0 if none
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

    /** Chooses the prefix anew, and makes all heads anew; of a node with keys. Fences as with {@link #fit}. */
    void renew(long node, long lowerFence, long upperFence) {
        int common = common(node, 0, nodes.count(node) - 1);
        int unverified = fenceCommon(lowerFence, upperFence);
        remake(node, common - unverified < GROWTH_BYTES_MIN ? unverified : common);
        verify(node, unverified);
    }

    /**
     * Puts a node right whose fences have changed, and which has got keys with their heads from a neighbour.
     *
     * @param sameHeads whether the heads leave out the same prefix
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
