package io.sdds.client.internal.routing;

import io.netty.buffer.ByteBuf;
import io.sdds.core.protocol.MissingParities;
import io.sdds.core.protocol.ProtocolViolation;
import io.sdds.core.protocol.ReplyFrame;
import io.sdds.core.protocol.Status;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests to their bricks and assigns replies to their requests. Hides stale images, busy bricks and lost links
 * from the application. A request is always in one place: in flight on a link, waiting for a link, waiting for a
 * session, or waiting for its next attempt.
 */
final class Router {
    /** Number of attempts to send to all bricks before the map decides: about 60 ms. */
    private static final int STAND_BY_MAX = 5;

    /** Number of bricks that a request may end. */
    private static final int BRICKS_FAILED_MAX = 2;

    private final ClientNode node;
    private final Counters counters;
    private final List<Request<?>> retries = new ArrayList<>();
    private final Multicasts multicasts;
    private final IndexLookups index;
    private final ProgramUploads uploads;
    private final Reopening reopening;

    /** The earliest deadline of a request, or an earlier time; the lowest number after a request was cancelled. */
    private long earliestNanos = Long.MAX_VALUE;

    private int outstanding;
    private long readTurn;

    Router(ClientNode node) {
        this.node = node;
        this.counters = node.counters();
        this.multicasts = new Multicasts(node);
        this.index = new IndexLookups(node);
        this.uploads = new ProgramUploads(node);
        this.reopening = new Reopening(node);
    }

    boolean isIdle() {
        return outstanding == 0;
    }

    /** Begins a new request. */
    void begin(Request<?> request) {
        counters.requests++;
        outstanding++;
        earliestNanos = Math.min(earliestNanos, request.deadlineNanos);
        route(request, false);
    }

    /** Sends a request that has waited or was sent before. */
    void routeAgain(Request<?> request) {
        routeAgain(request, false);
    }

    /** Sends a request whose turn has come in a peer's queue. */
    void routeWaited(Request<?> request) {
        routeAgain(request, true);
    }

    /** Retries a request that no brick can take now, while bricks are dialed. After some attempts the map decides. */
    private void standBy(Request<?> request) {
        if (request.isForMany() || request.attempts >= STAND_BY_MAX) {
            onSilence(request);
        } else {
            request.trouble = "no brick of its table can take requests now";
            retry(request);
        }
    }

    /** Dials the bricks of a range table that are not connected. Returns whether all are connected. */
    boolean connects(RoutedTable table) {
        return multicasts.connect(table);
    }

    private void routeAgain(Request<?> request, boolean waited) {
        if (request.isAbandoned()) {
            ended(request);
            request.abandoned();
        } else if (request.isStale()) {
            fail(request, Failure.Kind.NO_SUCH_TABLE, "the table was dropped, or left with its cluster, meanwhile");
        } else {
            route(request, waited);
        }
    }

    /** Sends a request to the brick that the image names, or puts the request into the queue where it has to wait. */
    private void route(Request<?> request, boolean waited) {
        if (request.table.isGone()) {
            reopening.take(request);
            return;
        }
        if (request.isWrite() && !node.sessions().number(request)) {
            return;
        }
        if (request.table.multicasts(request)) {
            if (!multicasts.send(request)) {
                standBy(request);
            }
            return;
        }
        if (request.table.looksUp(request) && index.take(request)) {
            return;
        }
        Peer only = request.onlyBrick();
        if (only != null) {
            only.offer(request, 0, 0, waited);
            return;
        }
        Image image = request.table.image();
        int partition = image.address(request);
        int brick = image.brick(partition);
        Peer peer = brick >= 0 ? node.peers().ofBrick(brick) : null;
        if (peer != null && !request.isWrite()) {
            request.table.reads(partition);
            peer = reader(peer, image.backups(partition));
        }
        if (peer == null) {
            routeBlindly(request, image, partition, waited);
        } else {
            peer.offer(request, partition, request.table.versionOf(partition), waited);
        }
    }

    /** The member of a group that gets the next read, in turn; the primary when no member answers. */
    private Peer reader(Peer primary, int[] backups) {
        int members = 1 + backups.length;
        for (int k = 0; members > 1 && k < members; k++) {
            int turn = (int) (readTurn++ % members);
            Peer peer = turn == 0 ? primary : node.peers().ofBrick(backups[turn - 1]);
            if (peer != null && peer.answers()) {
                return peer;
            }
            if (peer != null) {
                peer.dial(node.now());
            }
        }
        return primary;
    }

    /**
     * Routes a request whose partition's place is unknown or lost. An ancestor forwards the request, while the client
     * looks the place up. If the ancestor is lost, then so is the partition.
     */
    private void routeBlindly(Request<?> request, Image image, int partition, boolean waited) {
        request.table.wantBlock(TableImage.blockOf(partition), null);
        int known = image.nearestKnown(partition);
        int brick = known < 0 ? TableImage.UNKNOWN : image.brick(known);
        if (brick == TableImage.LOST) {
            onLost(request, known, request.losses.isNews(request.table.mapsHeard()));
            return;
        }
        Peer peer = brick >= 0 ? node.peers().ofBrick(brick) : null;
        if (peer == null) {
            request.trouble = "no brick of the partition is known";
            retryLater(request);
        } else {
            peer.offer(request, known, request.table.versionOf(known), waited);
        }
    }

    /**
     * The map names the partition lost. Because the loss may just have been accepted, the client looks the map up a few
     * times more before it believes the loss.
     *
     * @param isNews whether the client has heard the map since the request has met the loss last
     */
    private void onLost(Request<?> request, int partition, boolean isNews) {
        if (isNews && request.losses.isBelieved()) {
            fail(request, Failure.Kind.LOST, "partition " + partition + " is lost with the only memory that held it");
            return;
        }
        request.trouble = isNews ? null : "partition " + partition + " is lost by the last map, and no later map comes";
        refresh(request);
        retryLater(request);
    }

    /** Has the map of a request's partition looked up. */
    void refresh(Request<?> request) {
        request.table.refresh(request);
    }

    /**
     * A brick has failed, and the request is the cause or may be. A request that ends each brick that runs it must not
     * end all members of a group one after the other, so no third brick gets it.
     */
    void onFatal(Request<?> request) {
        request.mayHaveRun |= request.isWrite();
        if (++request.bricksFailed < BRICKS_FAILED_MAX) {
            retryLater(request);
        } else {
            fail(request, Failure.Kind.UNAVAILABLE, "two bricks failed at the request, so no other brick gets it");
        }
    }

    /** Sends a request again after a pause. The pause grows with each attempt. */
    void retryLater(Request<?> request) {
        request.peer = null;
        request.retryNanos =
                node.now() + Backoff.nanos(request.attempts++, node.env().random());
        retries.add(request);
    }

    /** The image has changed: addresses requests again whose brick does not answer. */
    void onImageChanged() {
        for (Peer peer : node.peers().all()) {
            if (!peer.isUp()) {
                peer.reroute();
            } else if (!peer.answers()) {
                peer.takeElsewhere();
            }
        }
    }

    /** Whether the image names another brick than this one for a request. */
    boolean isElsewhere(Request<?> request, Peer peer) {
        Image image = request.table.image();
        int partition = image.address(request);
        int brick = image.brick(partition);
        Peer primary = brick >= 0 && request.onlyBrick() == null ? node.peers().ofBrick(brick) : null;
        return primary != null
                && (request.isWrite() ? primary != peer : reader(primary, image.backups(partition)) != peer);
    }

    // ---- replies

    void onReply(Peer peer, ByteBuf frames, int index, int length) {
        if (length < ReplyFrame.HEADER) {
            throw new ProtocolViolation("reply of " + length + " bytes");
        }
        int correlation = frames.getIntLE(index + ReplyFrame.CORRELATION);
        int notes = frames.getIntLE(index + ReplyFrame.OPCODE);
        Request<?> request =
                correlation >= 0 ? peer.take(correlation) : multicasts.answered(correlation, (byte) (notes >>> 16));
        if (request == null) {
            counters.lateReplies++;
            return;
        }
        int body = index + ReplyFrame.HEADER;
        if ((notes & 0xff00ff00) != 0) {
            body = Adjustment.take(request, peer, frames, index, length);
        }
        byte status = (byte) (notes >>> 16);
        if (status == Status.BUSY) {
            onBusy(request, peer, intBody(frames, body, index + length));
            return;
        }
        peer.onAnswer(request);
        if (status == Status.OK && request.isForMany()) {
            answerOneOfMany(request, frames, body, index + length);
        } else if (status >= Status.OK && status <= Status.UPDATE_FAILED) {
            answer(request, status, frames, body, index + length);
        } else {
            onTrouble(request, peer, status, frames, body, index + length);
        }
    }

    private void answerOneOfMany(Request<?> request, ByteBuf frames, int body, int end) {
        try {
            request.answered(Status.OK, frames, body, end);
        } catch (RuntimeException | Error e) {
            multicasts.giveUp(request);
            fail(request, Failure.Kind.PROTOCOL, BrokenReply.why(e));
            throw BrokenReply.violation(e);
        }
    }

    private void answer(Request<?> request, byte status, ByteBuf frames, int body, int end) {
        ended(request);
        try {
            request.answered(status, frames, body, end);
        } catch (RuntimeException | Error e) { // also errors, because otherwise the request would never end
            request.mayHaveRun |= request.isWrite();
            request.fail(Failure.Kind.PROTOCOL, BrokenReply.why(e));
            throw BrokenReply.violation(e);
        }
    }

    private void onBusy(Request<?> request, Peer peer, int hintMillis) {
        counters.busy++;
        request.trouble = peer.address() + " is busy";
        peer.onBusy(request, hintMillis);
    }

    /** Refuses a request whose caller may not wait, because too many requests wait for a busy brick. */
    void refuse(Request<?> request, Peer peer) {
        counters.heldBack++;
        fail(request, Failure.Kind.OVERLOADED, peer.address() + " is busy, and enough requests wait for it");
    }

    private static String tooFew(Request<?> request, ByteBuf frames, int body, int end) {
        if (end - body >= Long.BYTES) {
            return MissingParities.of(frames.getLongLE(body)).text();
        }
        return request.table.definition().hasParity()
                ? "its partition was lost, and no brick is free to take it over"
                : "its partition has fewer copies than its table asks for";
    }

    private void onTrouble(Request<?> request, Peer peer, byte status, ByteBuf frames, int body, int end) {
        switch (status) {
            case Status.REDIRECT -> {
                counters.redirects++;
                request.trouble = "the map is changing";
                refresh(request);
                retry(request);
            }
            case Status.UNKNOWN -> {
                request.mayHaveRun |= request.isWrite();
                request.trouble = "a brick that forwarded the request lost the next brick";
                retry(request);
            }
            case Status.FATAL -> {
                request.trouble = "a brick failed at the request";
                onFatal(request);
            }
            case Status.TOO_FEW_COPIES -> {
                request.trouble = tooFew(request, frames, body, end);
                retry(request);
            }
            case Status.DEADLINE -> retry(request);
            case Status.NO_PROGRAM -> uploads.wanted(request, peer);
            case Status.STALE_REQUEST -> onStale(request);
            case Status.UNSUPPORTED_PROGRAM -> {
                if (request.giveUpProgram()) {
                    retry(request);
                } else {
                    fail(request, Failure.Kind.UNAVAILABLE, "a brick does not know the version of the program");
                }
            }
            case Status.NO_SUCH_TABLE -> reopening.onNoSuchTable(request);
            case Status.LOST -> onLost(request, request.table.image().address(request), true);
            default -> {
                FinalStatus failure = FinalStatus.of(status, frames, body, end);
                if (failure == null) {
                    throw failBroken(request, "reply with status " + status);
                }
                fail(request, failure.kind(), failure.why());
            }
        }
    }

    void retry(Request<?> request) {
        counters.retries++;
        retryLater(request);
    }

    /** The session of a write has ended. If no other copy can have run, the write begins again in another session. */
    private void onStale(Request<?> request) {
        Session session = request.session;
        if (session == null || request.mayHaveRun) {
            fail(request, Failure.Kind.STALE_REQUEST, "its session has ended");
            return;
        }
        node.sessions().onEnded(session);
        node.sessions().ended(request);
        request.session = null;
        request.trouble = "its session has ended";
        retry(request);
    }

    /** Ends a request whose reply is malformed. The returned exception closes the link. */
    ProtocolViolation failBroken(Request<?> request, String why) {
        request.mayHaveRun |= request.isWrite();
        fail(request, Failure.Kind.PROTOCOL, why);
        return new ProtocolViolation(why);
    }

    private static int intBody(ByteBuf frames, int body, int end) {
        return end - body >= Integer.BYTES ? frames.getIntLE(body) : 1;
    }

    // ---- ends

    /** Frees the room in the window and the number of a request that ends, before its future ends. */
    private void ended(Request<?> request) {
        outstanding--;
        node.window().leave(request.windowBytes());
        if (request.session != null) {
            node.sessions().ended(request);
        }
    }

    void fail(Request<?> request, Failure.Kind kind, String why) {
        ended(request);
        request.fail(kind, why);
    }

    /** Called once a tick. Sends due requests again, and gives late requests up. */
    void tick(long now) {
        retryDue(now);
        multicasts.silent(now).forEach(this::onSilence);
        if (now >= earliestNanos) {
            expire(now);
        }
    }

    /** No brick has answered a request to all bricks. The client asks the brick that the map names. */
    private void onSilence(Request<?> request) {
        if (request.isForMany()) {
            ended(request);
            request.silent();
        } else {
            request.isUnicast = true;
            counters.multicastsUnanswered++;
            request.trouble = "no known brick of its table answered";
            refresh(request);
            retry(request);
        }
    }

    private void retryDue(long now) {
        if (retries.isEmpty()) {
            return;
        }
        List<Request<?>> due = new ArrayList<>();
        retries.removeIf(request -> {
            boolean isDue = now >= request.retryNanos && now < request.deadlineNanos;
            return isDue && due.add(request);
        });
        due.forEach(this::routeAgain);
    }

    private void expire(long now) {
        List<Request<?>> expired = new ArrayList<>();
        long earliest = Request.expire(retries, now, expired, Long.MAX_VALUE);
        earliest = Request.expire(node.sessions().waiting(), now, expired, earliest);
        earliest = multicasts.expire(now, expired, earliest);
        earliest = index.expire(now, expired, earliest);
        earliest = reopening.expire(now, expired, earliest);
        for (Peer peer : node.peers().known()) {
            earliest = peer.expire(now, expired, earliest);
        }
        earliestNanos = earliest;
        String foreign = expired.isEmpty() ? null : node.peers().foreignTrouble();
        expired.forEach(request -> endLate(request, foreign));
    }

    /**
     * @param foreign the reason if all processes refuse this client because it belongs to another cluster; else null
     */
    private void endLate(Request<?> request, @Nullable String foreign) {
        if (request.isAbandoned()) {
            ended(request);
            request.abandoned();
            return;
        }
        counters.timeouts++;
        if (request.isOverloaded()) {
            fail(request, Failure.Kind.OVERLOADED, "waited for a busy brick until its deadline");
        } else if (foreign == null) {
            fail(request, Failure.Kind.TIMEOUT, "not answered by its deadline");
        } else {
            request.trouble = null;
            fail(request, Failure.Kind.UNAVAILABLE, foreign);
        }
    }

    /** A request's future was cancelled. The next tick removes the request. */
    void onCancelled() {
        earliestNanos = Long.MIN_VALUE;
    }

    /** Fails all requests, when the node closes. */
    void close() {
        for (Request<?> request : takeAll()) {
            fail(request, Failure.Kind.UNAVAILABLE, "the client is closed");
        }
        multicasts.close();
    }

    /** Removes all requests from the queues in which they wait. */
    List<Request<?>> takeAll() {
        List<Request<?>> all = new ArrayList<>();
        multicasts.giveUpAll(all);
        all.forEach(request -> request.mayHaveRun |= request.isWrite());
        all.addAll(retries);
        retries.clear();
        index.giveUpAll(all);
        reopening.giveUpAll(all);
        all.addAll(node.sessions().waiting());
        node.sessions().waiting().clear();
        for (Peer peer : node.peers().all()) {
            peer.giveUpAll(all);
        }
        return all;
    }
}
