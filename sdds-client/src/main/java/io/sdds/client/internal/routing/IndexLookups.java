package io.sdds.client.internal.routing;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sdds.core.model.KeySpan;
import io.sdds.core.protocol.IndexRecord;
import io.sdds.core.protocol.Limits;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.ProtocolViolation;
import io.sdds.core.protocol.RequestFrame;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Requests whose partition this client's image does not know, while the client looks it up in the index of partitions
 * (RP*S, section 2.1). The index is a range table. A lookup is a range query for the record of the partition and some
 * of its right neighbours.
 */
final class IndexLookups {

    /*
     * Records of the index only fill gaps of the image, because they may be older than the facts that replies taught. A
     * wrong record costs a forward, whose reply corrects the image.
     *
     * Each request is looked up once. When the index has no record of its partition, or cannot be read for a while, the
     * request goes to the partition that the image names: the partition before the gap, or the first one, which
     * forwards.
     */

    private static final int AT_ONCE = 8;
    private static final int PAGE_RECORDS = 64;
    private static final int PAGE_BYTES = 64 << 10;
    private static final long PATIENCE_NANOS = 300_000_000;

    /** Pause after a lookup that failed, because the index does not exist or cannot be reached. */
    private static final long PAUSE_NANOS = 1_000_000_000;

    private static final Sweep.Asked PAGE =
            new Sweep.Asked(Opcode.RANGE, RequestFrame.SCAN_RECORDS, new byte[0], PAGE_BYTES, 1);

    private final ClientNode node;
    private final ArrayDeque<Request<?>> waiting = new ArrayDeque<>();
    private final Set<Lookup> underWay = new LinkedHashSet<>();
    private @Nullable RoutedTable index;
    private boolean finding;
    private long notBeforeNanos = Long.MIN_VALUE;

    IndexLookups(ClientNode node) {
        this.node = node;
    }

    /** Takes a request. Returns false during a pause. */
    boolean take(Request<?> request) {
        if (node.now() < notBeforeNanos) {
            return false;
        }
        waiting.add(request);
        begin();
        return true;
    }

    private void begin() {
        RoutedTable table = index;
        if (table == null) {
            find();
            return;
        }
        while (underWay.size() < AT_ONCE && !waiting.isEmpty()) {
            Lookup lookup = new Lookup(table, waiting.remove());
            underWay.add(lookup);
            node.counters().lookups++;
            lookup.sweep.start();
        }
    }

    private void find() {
        if (!finding && !waiting.isEmpty()) {
            finding = true;
            node.findTable(IndexRecord.TABLE, PATIENCE_NANOS, (found, failure) -> {
                finding = false;
                index = found;
                if (found == null) {
                    pause();
                } else {
                    begin();
                }
            });
        }
    }

    /** Begins a pause. Waiting requests go on without a lookup. */
    private void pause() {
        notBeforeNanos = node.now() + PAUSE_NANOS;
        List<Request<?>> without = new ArrayList<>(waiting);
        waiting.clear();
        without.forEach(this::goOn);
    }

    private void goOn(Request<?> request) {
        request.isUnicast |= !request.table.ranges().knows(request);
        node.router().routeAgain(request);
    }

    private void ended(Lookup lookup) {
        if (underWay.remove(lookup)) {
            List<Request<?>> found = new ArrayList<>();
            found.add(lookup.request);
            waiting.removeIf(request -> request.table.ranges().knows(request) && found.add(request));
            found.forEach(this::goOn);
            begin();
        }
    }

    /**
     * Moves requests that are over to a list. Returns the earliest deadline of the remaining requests, or
     * {@code earliest} if that is earlier.
     */
    long expire(long now, List<Request<?>> expired, long earliest) {
        long next = Request.expire(waiting, now, expired, earliest);
        for (Lookup lookup : List.copyOf(underWay)) {
            if (lookup.request.isOver(now)) {
                underWay.remove(lookup);
                lookup.sweep.stop();
                expired.add(lookup.request);
            } else {
                next = Math.min(next, lookup.request.deadlineNanos);
            }
        }
        return next;
    }

    /** Moves all requests to a list, when the node closes. */
    void giveUpAll(List<Request<?>> all) {
        all.addAll(waiting);
        waiting.clear();
        underWay.forEach(lookup -> all.add(lookup.request));
        underWay.clear();
    }

    /**
     * The range of the index that holds the record of a request's partition and the records of the partitions behind
     * it.
     */
    static KeyBounds bounds(Request<?> request) {
        int table = request.table.id();
        byte[] last = IndexRecord.lastKey(table);
        if (request.isFromLast()) {
            return new KeyBounds(last, true, last, true, false);
        }
        byte[] key = request.rangeKey();
        // A longer key than any Λ: the first Λ above the key's beginning is above the key.
        boolean longer = key.length > Limits.SPLIT_KEY_BYTES_MAX;
        byte[] from = IndexRecord.key(table, longer ? Arrays.copyOf(key, Limits.SPLIT_KEY_BYTES_MAX) : key);
        return new KeyBounds(from, !longer && !request.isAboveKey(), last, true, false);
    }

    /** Fills the image from records of the index. Malformed records are ignored. */
    private void learn(RoutedTable table, byte[] records) {
        ByteBuf in = Unpooled.wrappedBuffer(records);
        try {
            while (in.isReadable()) {
                byte[] key = new byte[in.readUnsignedShortLE()];
                byte[] value = new byte[in.readIntLE()];
                in.readBytes(key).readBytes(value);
                IndexRecord record = IndexRecord.of(value);
                node.peers().learn(record.brick());
                KeySpan span = new KeySpan(record.low(), IndexRecord.high(key));
                if (record.partition() >= 0
                        && node.peers().ofBrick(record.brick().number()) != null) {
                    table.ranges().fill(record.partition(), span, record.brick().number());
                }
            }
        } catch (ProtocolViolation | IndexOutOfBoundsException | NegativeArraySizeException e) {
            in.clear();
        }
    }

    /** One range query of the index. */
    private final class Lookup implements Sweep.Sink {
        private final Request<?> request;
        private final RangeSweep sweep;

        Lookup(RoutedTable table, Request<?> request) {
            this.request = request;
            long patience = Math.max(1, Math.min(PATIENCE_NANOS, request.deadlineNanos - node.now()));
            sweep = new RangeSweep(table, PAGE, bounds(request), PAGE_RECORDS, patience, this);
        }

        @Override
        public void covered(Sweep.Part part, long count, byte[] records) {
            if (records.length == 0) {
                sweep.resume(part); // the record is in the next partition of the index, or does not exist
            } else {
                learn(request.table, records);
                sweep.stop();
                ended(this);
            }
        }

        @Override
        public void done() {
            ended(this);
        }

        @Override
        public void failed(Failure failure, List<String> missing) {
            if (failure.kind() == Failure.Kind.NO_SUCH_TABLE) {
                index = null;
            }
            pause();
            ended(this);
        }
    }
}
