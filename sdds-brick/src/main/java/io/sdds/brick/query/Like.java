package io.sdds.brick.query;

import static io.sdds.brick.memory.SegmentBytes.BYTE;

import io.sdds.brick.memory.ByteSearch;
import io.sdds.brick.memory.SegmentBytes;
import io.sdds.core.query.LikePattern;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * LIKE. The pattern is pieces with any text between them. The first piece stands at the beginning of the text, the last
 * one at its end, and each other one is taken at the first place behind the piece before, since a later place would
 * leave less for the pieces behind. So there is no backtracking.
 */
final class Like extends Kernel {
    private final Lane a;
    private final Scratch scratch;
    private final List<Piece> pieces;

    /** Code points in a row, each given or any one. */
    private record Piece(List<Part> parts, int codePoints) {}

    /** Bytes that are given, or without bytes any code points. */
    private record Part(@Nullable MemorySegment bytes, int length) {}

    Like(Lane a, LikePattern pattern, Scratch scratch, Lane out) {
        super(out);
        this.a = a;
        this.scratch = scratch;
        this.pieces = new Parser(pattern.parts()).pieces;
    }

    @Override
    void run(int rows) {
        out.statesOf(a, rows);
        for (int i = 0; i < rows; i++) {
            if (out.has(i)) {
                out.values[i] = matches(a.segments[i], a.offsets[i], a.offsets[i] + a.lengths[i]) ? 1 : 0;
                scratch.read(a.lengths[i]);
            }
        }
    }

    @Override
    int cost() {
        return 10;
    }

    private boolean matches(MemorySegment text, long start, long end) {
        long at = match(pieces.get(0), text, start, end);
        int last = pieces.size() - 1;
        if (last == 0) {
            return at == end;
        }
        for (int k = 1; k < last && at >= 0; k++) {
            at = find(pieces.get(k), text, at, end);
        }
        if (at < 0) {
            return false;
        }
        long place = TextSearch.skipBack(text, at, end, pieces.get(last).codePoints());
        return place >= 0 && match(pieces.get(last), text, place, end) == end;
    }

    /** Where the text behind the piece begins if the piece stands at a place; else -1. */
    private static long match(Piece piece, MemorySegment text, long place, long end) {
        long at = place;
        for (Part part : piece.parts()) {
            MemorySegment bytes = part.bytes();
            int length = part.length();
            if (bytes == null) {
                if (at == end) {
                    return -1;
                }
                at = TextSearch.skip(text, at, end, 1);
            } else if (end - at < length || !SegmentBytes.equal(text, at, bytes, 0, length)) {
                return -1;
            } else {
                at += length;
            }
        }
        return at;
    }

    /** Where the text behind the first place of the piece begins; -1 without one. */
    private static long find(Piece piece, MemorySegment text, long from, long end) {
        if (piece.parts().isEmpty()) {
            return from;
        }
        Part first = piece.parts().get(0);
        MemorySegment bytes = first.bytes();
        for (long at = from; at <= end; ) {
            if (bytes != null) {
                at = ByteSearch.find(text, at, end, bytes, 0, first.length());
                if (at < 0) {
                    return -1;
                }
            }
            long behind = match(piece, text, at, end);
            if (behind >= 0) {
                return behind;
            }
            if (at == end) {
                return -1;
            }
            at = TextSearch.skip(text, at, end, 1);
        }
        return -1;
    }

    /** Divides a pattern into its pieces. */
    private static final class Parser {
        private final List<Piece> pieces = new ArrayList<>();
        private List<Part> parts = new ArrayList<>();
        private final MemorySegment bytes;
        private int bytesUsed;
        private int partFrom;
        private int points;

        Parser(int[] pattern) {
            bytes = Arena.ofAuto().allocate(Math.max(1, pattern.length));
            for (int unit : pattern) {
                if (unit == LikePattern.ANY_TEXT) {
                    endPiece();
                } else if (unit == LikePattern.ANY_CODE_POINT) {
                    endPart();
                    parts.add(new Part(null, 0));
                    points++;
                } else {
                    bytes.set(BYTE, bytesUsed++, (byte) unit);
                    points += TextSearch.continues((byte) unit) ? 0 : 1;
                }
            }
            endPiece();
        }

        private void endPart() {
            if (bytesUsed > partFrom) {
                parts.add(new Part(bytes.asSlice(partFrom, bytesUsed - partFrom), bytesUsed - partFrom));
                partFrom = bytesUsed;
            }
        }

        private void endPiece() {
            endPart();
            pieces.add(new Piece(parts, points));
            parts = new ArrayList<>();
            points = 0;
        }
    }
}
