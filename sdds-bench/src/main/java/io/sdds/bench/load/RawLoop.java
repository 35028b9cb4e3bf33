package io.sdds.bench.load;

import io.netty.buffer.ByteBuf;
import io.sdds.bench.load.Measurement.Generator;
import io.sdds.client.routing.CongestionWindow;
import io.sdds.core.netty.NettyTransport;
import io.sdds.core.node.Env;
import io.sdds.core.node.Link;
import io.sdds.core.node.Node;
import io.sdds.core.protocol.Hello;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.ReplyFrame;
import io.sdds.core.protocol.RequestFrame;
import io.sdds.core.protocol.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Gets as frames, written straight to the connections of one brick: a fraction of what the client library costs, so that one machine can offer a brick more than it
 * can do. What these clients know of overload is what that library's links do ({@link CongestionWindow}): a window that refusals make smaller, and to ask again when a refusal says so. Closed
 * loop: so many outstanding a connection. Open loop: a rate; what is due and finds no room in the windows is not begun.
 */
final class RawLoop implements Generator, AutoCloseable {
    /** Of a connection, in an open loop. */
    private static final int OUTSTANDING_MAX = 8192;

    private static final int TEMPLATES = 1 << 14;
    private static final int DEADLINE_MILLIS = 5000;
    private static final long TURN_NANOS = 50_000;
    private static final long MILLI = 1_000_000;

    private final NettyTransport transport = new NettyTransport(1, "raw-load");
    private final Env env = transport.envs().get(0);
    private final Run run;
    private final long ratePerSecond;
    private final List<Client> clients = new ArrayList<>();
    private final ByteBuf templates;
    private final int frameBytes;
    private final SplittableRandom random;
    private final CountDownLatch up;
    private final Runnable turn = this::turn;
    private long startNanos;
    private long taken;
    private long underWay;
    private volatile long refused;
    private volatile long notBegun;
    private volatile long broken;
    private volatile @Nullable String trouble;

    /**
     * Connects.
     *
     * @param brick that holds all of the table
     * @param load whose services are the connections, and whose rate may be 0: a closed loop
     */
    RawLoop(Run run, String brick, int table, LoadSettings load) throws InterruptedException {
        this.run = run;
        this.ratePerSecond = load.ratePerSecond();
        this.random = new SplittableRandom(load.seed());
        byte[] key = run.data.key(0);
        this.frameBytes = RequestFrame.READ_BODY + key.length;
        this.templates = env.allocate(TEMPLATES * frameBytes);
        for (int k = 0; k < TEMPLATES; k++) {
            RequestFrame.writeHeader(templates, frameBytes, Opcode.GET, 0, 0, table, 0, DEADLINE_MILLIS, 0, key.length);
            templates.writeBytes(run.data.key(random.nextInt(run.data.size())));
        }
        this.up = new CountDownLatch(load.services());
        int slots = ratePerSecond == 0 ? load.pipeline() : OUTSTANDING_MAX;
        for (int k = 0; k < load.services(); k++) {
            clients.add(new Client(slots));
        }
        env.execute(() -> clients.forEach(client -> env.dial(brick, Hello.of(Hello.Role.CLIENT, "raw", 0), client)));
        if (!up.await(DEADLINE_MILLIS, TimeUnit.MILLISECONDS)) {
            close();
            throw new LoadException("can't connect to " + brick, new java.io.IOException(trouble));
        }
    }

    @Override
    public void start() {
        env.execute(() -> {
            startNanos = System.nanoTime();
            turn();
        });
    }

    @Override
    public long awaitEnd(Duration patience) throws InterruptedException {
        long end = System.nanoTime() + patience.toNanos();
        while (System.nanoTime() - end < 0) {
            CountDownLatch looked = new CountDownLatch(1);
            long[] left = new long[1];
            env.execute(() -> {
                left[0] = underWay;
                looked.countDown();
            });
            looked.await();
            if (left[0] == 0) {
                return 0;
            }
            TimeUnit.MILLISECONDS.sleep(1);
        }
        return Math.max(1, underWay);
    }

    /** Requests that the brick refused. */
    long refused() {
        return refused;
    }

    /** Requests that were due and found no room in their connections: those of other machines would have waited there, or gone away. */
    long notBegun() {
        return notBegun;
    }

    /** Answers that were no right ones. */
    long broken() {
        return broken;
    }

    @Nullable
    String trouble() {
        return trouble;
    }

    /** Begins what is due, or whatever may be begun. */
    private void turn() {
        if (!run.isGoingOn()) {
            return;
        }
        long now = System.nanoTime();
        long due = due(now);
        int each = (int) Math.min(Integer.MAX_VALUE, due / clients.size() + 1);
        for (Client client : clients) {
            due -= client.begin(now, each);
        }
        if (ratePerSecond > 0) {
            notBegun += Math.max(0, due);
            taken += Math.max(0, due);
        }
        env.schedule(TURN_NANOS, turn);
    }

    /** How many may begin by now. */
    private long due(long now) {
        return ratePerSecond == 0 ? Integer.MAX_VALUE : (long) ((now - startNanos) * (ratePerSecond / 1e9)) - taken;
    }

    @Override
    public void close() {
        CountDownLatch closed = new CountDownLatch(1);
        env.execute(() -> {
            clients.forEach(Client::close);
            templates.release();
            closed.countDown();
        });
        try {
            closed.await(1, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        transport.close();
    }

    /** One connection. */
    private final class Client implements Node {
        private final long[] begunNanos;
        private final int[] free;
        private final CongestionWindow window;
        private int freeCount;
        private int waiting;
        private boolean waits;
        private @Nullable Link link;

        Client(int slots) {
            begunNanos = new long[slots];
            free = new int[slots];
            window = new CongestionWindow(slots);
            for (int k = 0; k < slots; k++) {
                free[freeCount++] = k;
            }
        }

        /** Begins at most so many; how many. */
        int begin(long now, int most) {
            Link to = link;
            int count = Math.min(most, room());
            if (to == null || !to.isUp() || to.isFull() || count <= 0) {
                return 0;
            }
            for (int k = 0; k < count; k++) {
                int slot = free[--freeCount];
                begunNanos[slot] = now;
                ByteBuf out = to.claim(frameBytes);
                int start = out.writerIndex();
                out.writeBytes(templates, random.nextInt(TEMPLATES) * frameBytes, frameBytes);
                out.setIntLE(start + RequestFrame.CORRELATION, slot);
                to.commit();
            }
            underWay += count;
            taken += count;
            to.flush();
            return count;
        }

        /** How many more the window lets be unanswered. */
        private int room() {
            return Math.min(freeCount, window.limit() - unanswered());
        }

        private int unanswered() {
            return free.length - freeCount - waiting;
        }

        void close() {
            if (link != null) {
                link.close();
            }
        }

        @Override
        public void onLinkUp(Link opened) {
            link = opened;
            up.countDown();
        }

        @Override
        public void onFrames(Link from, ByteBuf frames) {
            long now = System.nanoTime();
            Meter meter = run.meter();
            int busy = 0;
            int length;
            for (int at = frames.readerIndex(); at < frames.writerIndex(); at += length) {
                length = frames.getIntLE(at);
                int slot = frames.getIntLE(at + ReplyFrame.CORRELATION);
                byte status = frames.getByte(at + ReplyFrame.STATUS);
                underWay--;
                if (status == Status.BUSY) {
                    backOff(frames.getIntLE(at + ReplyFrame.HEADER));
                    window.onRefused();
                    busy++;
                    waiting++;
                    free[free.length - waiting] = slot;
                    continue;
                }
                window.onAnswer();
                if (status == Status.OK) {
                    run.ended(meter, begunNanos[slot], now);
                } else {
                    broken++;
                    trouble = "status " + status;
                }
                free[freeCount++] = slot;
            }
            refused += busy;
            if (run.isGoingOn()) {
                begin(now, (int) Math.min(Integer.MAX_VALUE, due(now)));
            }
        }

        private void backOff(int hintMillis) {
            if (!waits) {
                waits = true;
                window.onBusy(unanswered());
                env.schedule(hintMillis * MILLI + random.nextLong(MILLI), this::resume);
            }
        }

        /** What was refused may be begun again. */
        private void resume() {
            waits = false;
            while (waiting > 0) {
                int slot = free[free.length - waiting--];
                free[freeCount++] = slot;
            }
        }

        @Override
        public void onLinkDown(Link down, String reason) {
            if (run.isGoingOn()) {
                broken++;
                trouble = reason;
            }
        }
    }
}
