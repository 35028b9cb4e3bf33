package io.sdds.brick.range;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.brick.memory.RecordStore;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Walks a whole tree and checks the invariants of its parts: order, fences, heads, prefixes, counts, levels and links.
 */
final class TreeCheck {

    private final RangeFixture fixture;
    private final Tree tree;
    private final Nodes nodes;
    private final RecordStore store;
    private long previousLeaf;
    private long indexBytes;

    TreeCheck(RangeFixture fixture) {
        this.fixture = fixture;
        this.tree = fixture.bucket.tree();
        this.nodes = tree.nodes;
        this.store = tree.store;
    }

    /** Bytes of all nodes and separators seen. */
    long indexBytes() {
        return indexBytes;
    }

    void run() {
        if (tree.isEmpty()) {
            assertThat(fixture.bucket.records()).isZero();
            assertThat(fixture.bucket.bytes()).isZero();
            return;
        }
        check(tree.root(), tree.height(), null, null);
        if (previousLeaf != 0) {
            assertThat(nodes.next(previousLeaf)).as("end of the leaves").isZero();
        }
        assertThat(tree.descendToLast()).isEqualTo(previousLeaf);
    }

    private void check(long node, int level, byte @Nullable [] lower, byte @Nullable [] upper) {
        assertThat(nodes.level(node)).isEqualTo(level);
        assertThat(nodes.count(node)).isBetween(1, nodes.capacity(node));
        indexBytes += Nodes.BYTES;
        checkKeys(node, lower, upper);
        checkPrefix(node, lower, upper);
        if (level == 0) {
            checkLeaf(node);
        } else {
            checkInner(node, level, lower, upper);
        }
    }

    private void checkKeys(long node, byte @Nullable [] lower, byte @Nullable [] upper) {
        byte[] before = lower;
        for (int i = 0; i < nodes.count(node); i++) {
            byte[] key = fixture.key(nodes.key(node, i));
            if (before != null) {
                boolean mayEqual = i == 0 && nodes.isLeaf(node);
                assertThat(Arrays.compareUnsigned(before, key)).isLessThan(mayEqual ? 1 : 0);
            }
            before = key;
        }
        if (upper != null) {
            assertThat(Arrays.compareUnsigned(before, upper)).isNegative();
        }
    }

    private void checkPrefix(long node, byte @Nullable [] lower, byte @Nullable [] upper) {
        int prefix = nodes.prefix(node);
        byte[] first = fixture.key(nodes.key(node, 0));
        for (int i = 0; i < nodes.count(node); i++) {
            byte[] key = fixture.key(nodes.key(node, i));
            assertThat(Arrays.equals(first, 0, prefix, key, 0, prefix)).isTrue();
            assertThat(nodes.head(node, i)).isEqualTo(store.keyHead(nodes.key(node, i), prefix));
        }
        if (!nodes.isVerified(node) && prefix > 0) {
            assertThat(lower != null && upper != null).isTrue();
            assertThat(Arrays.equals(lower, 0, prefix, upper, 0, prefix)).isTrue();
        }
    }

    private void checkLeaf(long leaf) {
        assertThat(nodes.previous(leaf)).isEqualTo(previousLeaf);
        if (previousLeaf != 0) {
            assertThat(nodes.next(previousLeaf)).isEqualTo(leaf);
        }
        previousLeaf = leaf;
        assertThat(nodes.records(leaf)).isEqualTo(nodes.count(leaf));
        assertThat(nodes.bytes(leaf)).isEqualTo(tree.slotBytes(leaf, 0, nodes.count(leaf)));
    }

    private void checkInner(long node, int level, byte @Nullable [] lower, byte @Nullable [] upper) {
        int count = nodes.count(node);
        long records = 0;
        long bytes = 0;
        for (int i = 0; i <= count; i++) {
            byte[] low = i == 0 ? lower : fixture.key(nodes.key(node, i - 1));
            byte[] high = i == count ? upper : fixture.key(nodes.key(node, i));
            check(nodes.child(node, i), level - 1, low, high);
            records += nodes.records(nodes.child(node, i));
            bytes += nodes.bytes(nodes.child(node, i));
            indexBytes += i == count ? 0 : store.slotBytes(nodes.key(node, i));
        }
        assertThat(nodes.records(node)).isEqualTo(records);
        assertThat(nodes.bytes(node)).isEqualTo(bytes);
    }
}
