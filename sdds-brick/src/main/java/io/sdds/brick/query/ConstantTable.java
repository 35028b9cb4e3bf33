package io.sdds.brick.query;

import io.sdds.brick.memory.KeyOrder;
import io.sdds.brick.memory.SegmentHash;
import io.sdds.core.protocol.ProtocolViolation;
import io.sdds.core.query.BloomFilter;
import io.sdds.core.row.ValueType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The constants of an IN: a hash table with open addressing, at most half full. It is filled in parts. Then it does not
 * change any more, and the stages of a brick share it.
 */
final class ConstantTable {
    /** Work of a constant beside its bytes, in about nanoseconds. */
    private static final int CONSTANT_WORK = 32;

    /** Most constants behind each other. Hashes have no such runs, unless constants were chosen for them. */
    private static final int RUN_MAX = 1_024;

    private final ValueType type;
    private final List<byte @Nullable []> constants;
    private final boolean isText;
    private final int mask;

    /** Numbers, where 0 is an empty place; of texts the place in {@link #text} and, in the high half, the length. */
    private final long[] lows;

    private final long[] highs;
    private final byte[] used;
    private final MemorySegment text;
    private final Lane one;
    private boolean hasNull;
    private int filled;
    private long textEnd;

    ConstantTable(ValueType type, List<byte @Nullable []> constants) {
        this.type = type;
        this.constants = constants;
        this.isText = Lane.isText(type);
        int places = Integer.highestOneBit(Math.max(4, constants.size()) * 2 - 1) << 1;
        this.mask = places - 1;
        this.lows = new long[places];
        this.highs = Lane.isWide(type) ? new long[places] : Lane.NO_NUMBERS;
        this.used = new byte[places];
        this.text = isText ? Arena.ofAuto().allocate(Math.max(1, bytes(constants))) : MemorySegment.NULL;
        this.one = Lane.of(type);
    }

    private static long bytes(List<byte @Nullable []> constants) {
        long bytes = 0;
        for (byte[] constant : constants) {
            bytes += constant == null ? 0 : constant.length;
        }
        return bytes;
    }

    /**
     * Puts the next constants into the table.
     *
     * @param most work to do, in about nanoseconds
     * @return whether all constants are there
     * @throws ProtocolViolation if too many constants have neighbouring hashes
     */
    boolean fill(int most) {
        int work = most;
        while (filled < constants.size() && work > 0) {
            byte[] constant = constants.get(filled++);
            work -= CONSTANT_WORK;
            if (constant == null) {
                hasNull = true;
            } else {
                work -= constant.length + put(constant);
            }
        }
        return filled == constants.size();
    }

    /** Puts a constant, and returns the number of places that it was compared with. */
    private int put(byte[] constant) {
        if (isText) {
            MemorySegment.copy(MemorySegment.ofArray(constant), 0, text, textEnd, constant.length);
        }
        Sources.set(one, 0, constant, MemorySegment.NULL);
        if (isText) {
            one.text(0, text, textEnd, constant.length);
        }
        int first = hash(one, 0);
        int place = first;
        while (used[place] != 0) {
            if (equals(place, one, 0)) {
                return place - first & mask;
            }
            place = place + 1 & mask;
            if ((place - first & mask) > RUN_MAX) {
                throw new ProtocolViolation("program: the constants of an IN were chosen for their hashes");
            }
        }
        used[place] = 1;
        lows[place] = isText ? textEnd | (long) constant.length << Integer.SIZE : one.values[0];
        if (highs.length > 0) {
            highs[place] = one.highs[0];
        }
        textEnd += isText ? constant.length : 0;
        return place - first & mask;
    }

    boolean hasNull() {
        return hasNull;
    }

    /** Whether a value of a lane, whose type is like that of the constants, is one of them. */
    boolean contains(Lane lane, int row) {
        int place = hash(lane, row);
        while (used[place] != 0) {
            if (equals(place, lane, row)) {
                return true;
            }
            place = place + 1 & mask;
        }
        return false;
    }

    private int hash(Lane lane, int row) {
        long hash = isText
                ? SegmentHash.hash(lane.segments[row], lane.offsets[row], lane.lengths[row])
                : highs.length > 0
                        ? BloomFilter.hash(lane.values[row], lane.highs[row])
                        : BloomFilter.hash(lane.values[row]);
        return (int) hash & mask;
    }

    private boolean equals(int place, Lane lane, int row) {
        long low = lows[place];
        if (!isText) {
            return low == lane.values[row] && (highs.length == 0 || highs[place] == lane.highs[row]);
        }
        int length = (int) (low >>> Integer.SIZE);
        return length == lane.lengths[row]
                && KeyOrder.compare(text, low & 0xffffffffL, length, lane.segments[row], lane.offsets[row], length, 0)
                        == 0;
    }

    /** Bytes of memory that the table takes. */
    long bytes() {
        return (long) lows.length * (Long.BYTES + 1) + (long) highs.length * Long.BYTES + text.byteSize();
    }
}
