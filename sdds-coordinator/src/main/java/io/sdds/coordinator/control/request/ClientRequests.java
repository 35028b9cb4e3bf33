package io.sdds.coordinator.control.request;

import io.netty.buffer.ByteBuf;
import io.sdds.coordinator.control.base.Confirmations;
import io.sdds.coordinator.control.base.MessageSender;
import io.sdds.coordinator.control.base.Request;
import io.sdds.core.control.ControlFrame;
import io.sdds.core.control.ControlMessage;
import io.sdds.core.control.Roles;
import io.sdds.core.node.Env;
import io.sdds.core.node.IncomingBudget;
import io.sdds.core.node.Link;
import io.sdds.core.node.UnreadBudget;
import io.sdds.core.protocol.Hello.Role;
import io.sdds.core.stage.ControlLimits;
import io.sdds.core.stage.ControlQueue;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Queue;

/**
 * Queues the requests of clients to a coordinator, bounds their number, and runs them. Requests of bricks and other
 * coordinators run at once, however many clients there are.
 *
 * <p>Requests are taken from the queue in batches. The coordinator confirms its leadership once for a batch. Then the
 * requests of the batch run, in several turns if their answers are long. The next batch is taken after that.
 */
public final class ClientRequests implements ControlQueue.Handler {
    /** Largest number of clients connected at a time. */
    static final int CLIENTS_MAX = 16_384;

    private static final long UNREAD_BYTES_MAX = 64L << 20;
    private static final long INCOMING_BYTES_MAX = 40L << 20;
    private static final int UNANSWERED_MAX = 1024;
    private static final int SHARES = 8;

    private final Env env;
    private final MessageSender outbox;
    private final Confirmations leadership;
    private final Judge judge;
    private final ControlQueue queue;
    private final UnreadBudget unread = new UnreadBudget(UNREAD_BYTES_MAX);
    private final IncomingBudget incoming = new IncomingBudget(INCOMING_BYTES_MAX);
    private final Queue<Taken> batch = new ArrayDeque<>();
    private final Map<Link, Integer> unanswered = new LinkedHashMap<>();
    private int unansweredTotal;
    private boolean turnPlanned;
    private boolean busy;

    /** Runs the requests. */
    public interface Judge {
        /** Answers a request that every coordinator answers. Returns false if only a leader answers the request. */
        boolean answersAlone(Request request, ControlMessage message);

        /** Runs a request after the round that confirmed, or did not confirm, the leadership. */
        void judge(Request request, ControlMessage message, boolean leads);
    }

    private record Taken(Request request, ControlMessage message) {}

    public ClientRequests(Env env, MessageSender outbox, Confirmations leadership, Judge judge) {
        this.env = env;
        this.outbox = outbox;
        this.leadership = leadership;
        this.judge = judge;
        queue = new ControlQueue(env, ControlLimits.COORDINATOR, this::planTurn);
    }

    /** A client has connected. */
    public void linkUp(Link link) {
        if (unanswered.size() >= CLIENTS_MAX) {
            link.giveUp("too many clients: " + CLIENTS_MAX + " are connected to this coordinator");
            return;
        }
        unanswered.put(link, 0);
        link.holdWithin(unread);
        link.receiveWithin(incoming);
    }

    /** A link is down. The link may belong to a client or to another node. */
    public void linkDown(Link link) {
        queue.linkDown(link);
        Integer gone = unanswered.remove(link);
        unansweredTotal -= gone == null ? 0 : gone;
    }

    /** A client reads its answers again. */
    public void writable(Link link) {
        queue.goOn(link);
    }

    /** Takes the frames that a client has sent. */
    public void offer(Link link, ByteBuf frames) {
        if (queue.offer(link, frames, frames.readerIndex(), frames.writerIndex()) > 0) {
            outbox.flushSoon(link);
        }
        planTurn();
    }

    /** Drops all waiting requests, when the node closes. */
    public void close() {
        queue.release();
        batch.clear();
    }

    /** The queue of requests, for monitoring. */
    public ControlQueue queue() {
        return queue;
    }

    /** Number of requests taken and not answered yet. */
    public int unanswered() {
        return unansweredTotal;
    }

    private void planTurn() {
        if (!turnPlanned && !busy) {
            turnPlanned = true;
            env.defer(this::takeBatch);
        }
    }

    private void takeBatch() {
        turnPlanned = false;
        if (busy) {
            return;
        }
        queue.run(this);
        if (!batch.isEmpty()) {
            busy = true;
            leadership.whether(this::runBatch);
        } else if (queue.isReady()) {
            planTurn();
        }
    }

    /**
     * Whether the next request of a client may run. A client with many unanswered requests waits, so that one client
     * cannot take all proposals.
     */
    @Override
    public boolean takes(Link link) {
        int most = Math.max(1, (UNANSWERED_MAX - unansweredTotal) / SHARES);
        return !link.isFull() && unanswered.getOrDefault(link, 0) < most;
    }

    @Override
    public int onControl(Link link, ByteBuf frames, int index, int length) {
        ControlMessage message = Roles.read(Role.COORDINATOR, link.peer().role(), frames, index, length);
        long sentBefore = outbox.sentBytes();
        count(link, 1);
        Request request =
                new Request(link, frames.getIntLE(index + ControlFrame.CORRELATION), outbox, () -> answered(link));
        if (!judge.answersAlone(request, message)) {
            batch.add(new Taken(request, message));
        }
        return (int) (outbox.sentBytes() - sentBefore);
    }

    private void answered(Link link) {
        count(link, -1);
        queue.goOn(link);
    }

    private void count(Link link, int more) {
        if (unanswered.computeIfPresent(link, (client, count) -> count + more) != null) {
            unansweredTotal += more;
        }
    }

    private void runBatch(boolean leads) {
        long start = outbox.sentBytes();
        while (!batch.isEmpty() && outbox.sentBytes() - start < ControlLimits.COORDINATOR.turnBytesMax()) {
            run(batch.remove(), leads);
        }
        if (!batch.isEmpty()) {
            env.defer(() -> runBatch(leads));
            return;
        }
        busy = false;
        // Also after the batch has spent the credit: then the queue plans the next turn for the time when there is
        // credit again.
        if (!queue.isEmpty()) {
            planTurn();
        }
    }

    private void run(Taken taken, boolean leads) {
        long startNanos = env.cpuNanos();
        long sentBefore = outbox.sentBytes();
        judge.judge(taken.request(), taken.message(), leads);
        queue.took(env.cpuNanos() - startNanos, outbox.sentBytes() - sentBefore);
    }
}
