package io.sdds.brick.parity.recovery;

import io.sdds.brick.parity.DecodingBudget;
import io.sdds.brick.parity.decoding.RecordDecoder;
import io.sdds.core.model.SplitPolicy;
import io.sdds.core.node.Env;
import io.sdds.core.node.Link;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The requests by which a filling column gets its missing records: first the records that requests of clients wait for,
 * and in the background all others in ascending order of their ranks. {@link #send} sends what may be sent. The owner
 * calls it at the end of each turn.
 */
final class RecordPulls {

    /* A request is under way until its answer comes, until it has waited too long, or until another parity member or
     * another link is used. Its ranks are then free to be asked for again. So nothing is ever sent twice from here, and
     * an answer may be lost. An answer that comes too late finds no request; its records are taken all the same, as far
     * as their ranks are missing.
     *
     * The background goes on behind the last rank that it has asked for, and begins again at rank 0 when it has reached
     * the end. So a record that can't be decoded delays no other record. */

    /** A request names at most one rank for each so many bytes of a slice: 64 ranks by default. */
    private static final int PART_BYTES = 768;

    /** Most requests of the background that may be under way; one while clients wait for records. */
    static final int WINDOW = 8;

    /** Most requests for records that clients wait for that may be under way, beside those of the background. */
    static final int WANTED_WINDOW = 8;

    /** After this time without an answer the records are asked for again. */
    static final long PATIENCE_NANOS = 1_000_000_000L;

    private static final int FIRST_MEAN_BYTES = 256;

    private final Env env;
    private final MissingRanks missing;
    private final Sender sender;
    private final FillPace pace;
    private final DecodingBudget budget;

    /** Bytes of coded records that one request should bring: a slice. */
    private final int bytesWanted;

    /** Most ranks of one request. */
    private final int ranksMax;

    private final List<Pull> underWay = new ArrayList<>();

    /** The missing ranks that requests wait for, and that are not under way. */
    private final Set<Integer> wanted = new LinkedHashSet<>();

    /** Most requests of the background under way now: lower after the parity member could not decode. */
    private int window = WINDOW;

    /** Mean bytes of the records that came last. */
    private int meanBytes = FIRST_MEAN_BYTES;

    /** The rank from which the background goes on. */
    private int cursor;

    /** Whether nothing is asked for before the next tick. */
    private boolean pausing;

    private int lastNumber;
    private @Nullable Link link;

    /** Sends a request to the parity member that decodes. */
    interface Sender {
        /** The link to the parity member; null if there is none now. */
        @Nullable
        Link link();

        void send(Link to, int number, int[] ranks);
    }

    private record Pull(int number, int[] ranks, boolean isWanted, long bytes, long sentNanos) {
        boolean has(int rank) {
            return Arrays.binarySearch(ranks, rank) >= 0;
        }
    }

    /**
     * @param budget for what all filling columns of the stage have asked for
     * @param sliceBytes bytes of a slice of the table ({@link SplitPolicy#sliceBytes})
     */
    RecordPulls(Env env, MissingRanks missing, Sender sender, DecodingBudget budget, int sliceBytes) {
        this.budget = budget;
        this.env = env;
        this.missing = missing;
        this.sender = sender;
        this.pace = new FillPace(env.nowNanos());
        this.bytesWanted = Math.min(ColumnFrame.BYTES_MAX, sliceBytes);
        this.ranksMax = ranksMax(sliceBytes);
    }

    /** Most ranks of one request, by the bytes of a slice of the table. */
    static int ranksMax(int sliceBytes) {
        return Math.clamp(sliceBytes / PART_BYTES, 1, RecordDecoder.RANKS_MAX);
    }

    /** A request of a client waits for the record of a missing rank. */
    void want(int rank) {
        if (!isUnderWay(rank)) {
            wanted.add(rank);
        }
    }

    private boolean isUnderWay(int rank) {
        for (int k = 0; k < underWay.size(); k++) {
            if (underWay.get(k).has(rank)) {
                return true;
            }
        }
        return false;
    }

    /** Asks for the records that may be asked for now. */
    void send() {
        Link to = sender.link();
        if (to != link) {
            link = to;
            underWay.removeIf(this::giveUp);
            pausing = false;
        }
        if (to == null || pausing) {
            return;
        }
        while (!wanted.isEmpty() && count(true) < WANTED_WINDOW && budget.take(bytesOfOne())) {
            send(to, takeWanted(), true);
        }
        int most = areRequestsWaiting() ? 1 : window; // the parity member decodes in the order of the requests
        while (count(false) < most && pace.allows(env.nowNanos(), areRequestsWaiting())) {
            if (!budget.takeHalf(bytesOfOne())) {
                return;
            }
            int[] ranks = next();
            send(to, ranks, false);
            if (ranks.length == 0) {
                return;
            }
            pace.spend((long) ranks.length * meanBytes, ranks.length);
        }
    }

    private boolean areRequestsWaiting() {
        return !wanted.isEmpty() || count(true) > 0;
    }

    private int count(boolean isWanted) {
        int count = 0;
        for (int k = 0; k < underWay.size(); k++) {
            count += underWay.get(k).isWanted() == isWanted ? 1 : 0;
        }
        return count;
    }

    /** Sends a request for ranks. The bytes of one request were taken from the budget. */
    private void send(Link to, int[] ranks, boolean isWanted) {
        if (ranks.length == 0) {
            budget.giveBack(bytesOfOne());
            return;
        }
        Pull pull = new Pull(++lastNumber, ranks, isWanted, bytesOfOne(), env.nowNanos());
        underWay.add(pull);
        sender.send(to, pull.number(), ranks);
    }

    /** Bytes that a request is expected to bring. */
    private long bytesOfOne() {
        return (long) ranksOfOne() * meanBytes;
    }

    private int ranksOfOne() {
        return Math.clamp(bytesWanted / meanBytes, 1, ranksMax);
    }

    private int[] takeWanted() {
        int[] ranks = new int[Math.min(wanted.size(), ranksOfOne())];
        Iterator<Integer> first = wanted.iterator();
        int count = 0;
        while (count < ranks.length && first.hasNext()) {
            int rank = first.next();
            first.remove();
            if (missing.isMissing(rank)) {
                ranks[count++] = rank;
            }
        }
        Arrays.sort(ranks, 0, count);
        return Arrays.copyOf(ranks, count);
    }

    /** The next missing ranks that are not under way; none if all are. */
    private int[] next() {
        int[] ranks = new int[ranksOfOne()];
        int count = collect(ranks, 0);
        if (count == 0 && cursor > 0) {
            cursor = 0;
            count = collect(ranks, 0);
        }
        return Arrays.copyOf(ranks, count);
    }

    private int collect(int[] ranks, int from) {
        int count = from;
        int rank = missing.next(cursor);
        while (rank >= 0 && count < ranks.length) {
            if (!isUnderWay(rank) && !wanted.contains(rank)) {
                ranks[count++] = rank;
            }
            cursor = rank + 1;
            rank = missing.next(cursor);
        }
        return count;
    }

    // ---- answers

    /**
     * An answer has come, and its records have been taken.
     *
     * @param bytes of the records
     * @param records number of records; 0 if the parity member can't decode now
     */
    void answered(int number, long bytes, int records) {
        if (records > 0) {
            meanBytes = (int) Math.max(1, (3L * meanBytes + bytes / records) / 4);
        }
        for (int k = 0; k < underWay.size(); k++) {
            if (underWay.get(k).number() == number) {
                window = records > 0 ? Math.min(WINDOW, window + 1) : Math.max(1, window / 2);
                pausing |= records == 0;
                giveUp(underWay.remove(k));
                return;
            }
        }
    }

    /** Records that came can't be kept. Nothing is asked for before the next tick, and less then. */
    void pause() {
        pausing = true;
        window = 1;
    }

    /** The ranks of a request that are still missing are free to be asked for. */
    private boolean giveUp(Pull pull) {
        budget.giveBack(pull.bytes());
        if (pull.isWanted()) {
            for (int rank : pull.ranks()) {
                if (missing.isMissing(rank)) {
                    wanted.add(rank);
                }
            }
        }
        return true;
    }

    /**
     * Each 100 ms: gives up the requests that have not been answered for too long. The owner then calls {@link #want}
     * for all records that requests of clients wait for.
     */
    void tick() {
        pausing = false;
        long now = env.nowNanos();
        underWay.removeIf(pull -> now - pull.sentNanos() > PATIENCE_NANOS && giveUp(pull));
        wanted.clear();
    }

    /** Nothing more is asked for, and answers under way are dropped. */
    void end() {
        underWay.removeIf(this::giveUp);
        wanted.clear();
    }
}
