package io.sdds.brick.query;

import static io.sdds.brick.memory.SegmentBytes.BYTE;

import io.sdds.brick.memory.ByteSearch;
import io.sdds.brick.memory.SegmentBytes;
import io.sdds.core.query.LikePattern;
import io.sdds.core.query.WildcardSearch;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** LIKE, as {@link LikePattern} tells, on the memory of records. */
final class Like extends Kernel {

    /* A piece without _ inside is found by the search for bytes. Of another piece the search finds the bytes before its
     * first _, and the rest is compared there. When this has compared much in vain, the piece is looked for byte by
     * byte. So the work is linear in the text, for pieces of up to 64 signs. */

    /** Vain work for each byte of the text after which a piece is looked for byte by byte. */
    private static final int VAIN_FACTOR = 8;

    /** Vain work that a search may do in any case. */
    private static final int VAIN_MIN = 4096;

    private final Lane a;
    private final Scratch scratch;
    private final ByteSearch search;
    private final List<Piece> pieces;
    private final long bytes;

    /** Code points in a row. */
    private static final class Piece {
        final LikePattern.Piece pattern;

        /** All signs of the piece, and the signs from the first byte to the last one. */
        final List<Part> parts;

        final List<Part> core;
        private @Nullable WildcardSearch wildcards;

        Piece(LikePattern.Piece pattern) {
            this.pattern = pattern;
            this.parts = parts(pattern.signs());
            this.core = parts(pattern.core());
        }

        WildcardSearch wildcards() {
            WildcardSearch known = wildcards;
            if (known == null) {
                known = new WildcardSearch(pattern.core());
                wildcards = known;
            }
            return known;
        }

        long bytes() {
            int signs = pattern.core().length;
            return pattern.hasInnerWildcards() ? WildcardSearch.bytes(signs) : signs;
        }
    }

    /** Bytes that are given, or without bytes one code point. */
    private record Part(@Nullable MemorySegment bytes, int length) {}

    private static List<Part> parts(int[] signs) {
        List<Part> parts = new ArrayList<>();
        for (int from = 0; from < signs.length; ) {
            int to = from;
            while (to < signs.length && signs[to] != LikePattern.ANY_CODE_POINT) {
                to++;
            }
            if (to == from) {
                parts.add(new Part(null, 0));
                from++;
            } else {
                MemorySegment bytes = Arena.ofAuto().allocate(to - from);
                for (int k = from; k < to; k++) {
                    bytes.set(BYTE, k - from, (byte) signs[k]);
                }
                parts.add(new Part(bytes, to - from));
                from = to;
            }
        }
        return parts;
    }

    Like(Lane a, LikePattern pattern, Scratch scratch, Lane out) {
        super(out);
        this.a = a;
        this.scratch = scratch;
        this.search = scratch.search();
        this.pieces = pattern.pieces().stream().map(Piece::new).toList();
        this.bytes = pieces.stream().mapToLong(Piece::bytes).sum();
    }

    @Override
    void run(int rows) {
        out.statesOf(a, rows);
        for (int i = 0; i < rows; i++) {
            if (out.has(i)) {
                out.values[i] = matches(a.segments[i], a.offsets[i], a.offsets[i] + a.lengths[i]) ? 1 : 0;
            }
        }
    }

    @Override
    int cost() {
        return 10;
    }

    @Override
    boolean readsText() {
        return true;
    }

    @Override
    long bytes() {
        return bytes;
    }

    private boolean matches(MemorySegment text, long start, long end) {
        long at = match(pieces.get(0).parts, text, start, end);
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
        int points = pieces.get(last).pattern.codePoints();
        scratch.readAlone(points);
        long place = TextSearch.skipBack(text, at, end, points);
        return place >= 0 && match(pieces.get(last).parts, text, place, end) == end;
    }

    /** Where the text behind the parts begins if they stand at a place; else -1. */
    private long match(List<Part> parts, MemorySegment text, long place, long end) {
        long at = place;
        for (Part part : parts) {
            MemorySegment bytes = part.bytes();
            int length = part.length();
            if (bytes == null) {
                if (at == end) {
                    scratch.readAlone(at - place);
                    return -1;
                }
                at = TextSearch.skip(text, at, end, 1);
            } else if (end - at < length || !SegmentBytes.equal(text, at, bytes, 0, length)) {
                scratch.readAlone(at - place);
                scratch.read(length);
                return -1;
            } else {
                at += length;
            }
        }
        scratch.readAlone(at - place);
        return at;
    }

    /** Where the text behind the first place of the piece begins; -1 without one. */
    private long find(Piece piece, MemorySegment text, long from, long end) {
        long at = skip(text, from, end, piece.pattern.leading());
        if (at < 0 || piece.core.isEmpty()) {
            return at;
        }
        long behind = piece.core.size() == 1
                ? findBytes(piece.core.get(0), text, at, end)
                : findWildcards(piece, text, at, end);
        return behind < 0 ? behind : skip(text, behind, end, piece.pattern.trailing());
    }

    private long findBytes(Part part, MemorySegment text, long from, long end) {
        MemorySegment bytes = part.bytes();
        if (bytes == null) {
            throw new IllegalStateException("the core of a piece begins with a byte");
        }
        long at = search.find(text, from, end, bytes, 0, part.length());
        return at < 0 ? at : at + part.length();
    }

    private long findWildcards(Piece piece, MemorySegment text, long from, long end) {
        Part first = piece.core.get(0);
        long at = from;
        long before = scratch.work();
        while (scratch.work() - before <= VAIN_FACTOR * (at - from) + VAIN_MIN) {
            long behind = findBytes(first, text, at, end);
            if (behind < 0) {
                return behind;
            }
            long place = behind - first.length();
            scratch.readAlone(1);
            long found = match(piece.core, text, place, end);
            if (found >= 0) {
                return found;
            }
            at = place + 1;
        }
        WildcardSearch bits = piece.wildcards();
        bits.begin();
        for (long next = at; next < end; next++) {
            if (bits.take(text.get(BYTE, next))) {
                scratch.readAlone(bits.steps() * (next - at));
                return next + 1;
            }
        }
        scratch.readAlone(bits.steps() * (end - at));
        return -1;
    }

    /** The place behind so many code points; -1 if there are fewer. */
    private long skip(MemorySegment text, long from, long end, int codePoints) {
        long at = from;
        for (int k = 0; k < codePoints; k++) {
            if (at == end) {
                return -1;
            }
            at = TextSearch.skip(text, at, end, 1);
        }
        scratch.readAlone(at - from);
        return at;
    }
}
