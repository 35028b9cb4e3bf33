package io.sdds.brick.query;

import io.sdds.brick.memory.KeyOrder;
import io.sdds.brick.memory.SegmentHash;
import io.sdds.core.protocol.ProtocolViolation;
import io.sdds.core.query.BloomFilter;
import io.sdds.core.row.ValueType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The constants of an IN: a hash table with open addressing, at most half full. It is filled in parts. Then it does not
 * change any more, and the stages of a brick share it.
 */
final class ConstantTable {
    /** Work of a number, in about nanoseconds, and of a text beside its bytes. */
    private static final int CONSTANT_WORK = 32;

    private static final int TEXT_WORK = 128;

    /** Bytes of new memory for the work of about a nanosecond. */
    private static final int MEMORY_BYTES_A_NANO = 8;

    /** Most constants behind each other. Hashes have no such runs, unless constants were chosen for them. */
    private static final int RUN_MAX = 1_024;

    /** Bits of the place of a text in its piece of memory. */
    private static final int PIECE_BITS = 18;

    private static final int PIECE_BYTES_MIN = 4 << 10;
    private static final byte[] NO_BYTES = {};

    private final List<byte @Nullable []> constants;
    private final boolean isText;
    private final boolean isWide;
    private final int mask;

    /**
     * Numbers, where 0 is an empty place; of texts the number of the piece and the place in it, and, in the high half,
     * the length.
     */
    private long[] lows = Lane.NO_NUMBERS;

    private long[] highs = Lane.NO_NUMBERS;
    private byte[] used = NO_BYTES;
    private final Arena arena = Arena.ofAuto();

    /** The memory of texts. */
    private MemorySegment[] pieces = {};

    private int piecesUsed;
    private long pieceEnd;
    private long textBytes;
    private final Lane one;
    private boolean hasNull;
    private int filled;

    ConstantTable(ValueType type, List<byte @Nullable []> constants) {
        this.constants = constants;
        this.isText = Lane.isText(type);
        this.isWide = Lane.isWide(type);
        int places = Integer.highestOneBit(Math.max(4, constants.size()) * 2 - 1) << 1;
        this.mask = places - 1;
        this.one = Lane.of(type);
    }

    /**
     * Takes memory, and puts the next constants into the table.
     *
     * @param most work to do, in about nanoseconds; a piece of memory is taken at once
     * @return whether all constants are there
     * @throws ProtocolViolation if too many constants have neighbouring hashes
     */
    boolean fill(int most) {
        int work = most;
        while (work > 0 && used.length == 0) {
            work -= (int) (takeMemory() / MEMORY_BYTES_A_NANO);
        }
        while (work > 0 && filled < constants.size()) {
            work -= put(constants.get(filled++));
        }
        return used.length > 0 && filled == constants.size();
    }

    /** Takes the next piece of memory, {@link #used} last. Returns its bytes. */
    private long takeMemory() {
        int places = mask + 1;
        if (lows.length == 0) {
            lows = new long[places];
            return (long) places * Long.BYTES;
        }
        if (isWide && highs.length == 0) {
            highs = new long[places];
            return (long) places * Long.BYTES;
        }
        used = new byte[places];
        return places;
    }

    /** Puts a constant, and returns the work. */
    private int put(byte @Nullable [] constant) {
        if (constant == null) {
            hasNull = true;
            return CONSTANT_WORK;
        }
        return (isText ? TEXT_WORK : CONSTANT_WORK) + constant.length + place(constant);
    }

    /** Puts a constant, and returns the number of places that it was compared with. */
    private int place(byte[] constant) {
        Sources.set(one, 0, constant, MemorySegment.NULL);
        if (isText) {
            MemorySegment piece = pieceFor(constant.length);
            MemorySegment.copy(MemorySegment.ofArray(constant), 0, piece, pieceEnd, constant.length);
            one.text(0, piece, pieceEnd, constant.length);
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
        lows[place] = isText ? textAt(constant.length) : one.values[0];
        if (highs.length > 0) {
            highs[place] = one.highs[0];
        }
        pieceEnd += isText ? constant.length : 0;
        return place - first & mask;
    }

    /** The last piece of memory, with room for a text. */
    private MemorySegment pieceFor(int length) {
        // A piece is never quite full, so that its end has no more bits, also for an empty text
        if (piecesUsed > 0 && length < pieces[piecesUsed - 1].byteSize() - pieceEnd) {
            return pieces[piecesUsed - 1];
        }
        long usual = Math.min(1L << PIECE_BITS, (long) PIECE_BYTES_MIN << Math.min(PIECE_BITS, piecesUsed));
        MemorySegment piece = arena.allocate(Math.max(length, usual));
        if (piecesUsed == pieces.length) {
            pieces = Arrays.copyOf(pieces, Math.max(1, 2 * piecesUsed));
        }
        pieces[piecesUsed++] = piece;
        pieceEnd = 0;
        textBytes += piece.byteSize();
        return piece;
    }

    /** The place of a text at the end of the last piece, and its length. */
    private long textAt(int length) {
        return (long) length << Integer.SIZE | (long) (piecesUsed - 1) << PIECE_BITS | pieceEnd;
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
        if (length != lane.lengths[row]) {
            return false;
        }
        MemorySegment piece = pieces[(int) low >>> PIECE_BITS];
        long at = low & (1 << PIECE_BITS) - 1;
        return KeyOrder.compare(piece, at, length, lane.segments[row], lane.offsets[row], length, 0) == 0;
    }

    /** Bytes of memory that the table takes. */
    long bytes() {
        return (long) lows.length * (Long.BYTES + 1) + (long) highs.length * Long.BYTES + textBytes;
    }
}
