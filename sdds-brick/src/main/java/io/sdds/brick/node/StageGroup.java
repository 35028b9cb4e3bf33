package io.sdds.brick.node;

import io.netty.buffer.ByteBuf;
import io.sdds.brick.experiment.DatagramSenders;
import io.sdds.brick.partition.Request;
import io.sdds.brick.query.KeptPrograms;
import io.sdds.core.model.BrickInfo;
import io.sdds.core.node.ClusterIdentity;
import io.sdds.core.node.Connection;
import io.sdds.core.node.Env;
import io.sdds.core.node.Link;
import io.sdds.core.node.UnreadBudget;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.RequestFrame;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The stages of one brick. Partition {@code a} belongs to stage {@code a mod S}. A connection belongs to any stage. Its
 * frames for another stage are copied together and handed over once a turn, and the replies come back in the same way.
 * Stages call each other only here, by {@link Env#execute}.
 */
public final class StageGroup {
    /** Most connections of other bricks. Each stage of a brick opens two. */
    static final int BRICK_LINKS_MAX = 16_384;

    private static final int SLICE_CHILD = 20;
    private static final int GROUP_COLUMNS = 6;
    private static final int GROUP_PARTITION = 12;
    private static final int HAND_OVER_BYTES = 16 << 10;

    private final List<BrickNode> stages = new ArrayList<>();
    private final List<Env> envs = new ArrayList<>();
    private final AtomicReferenceArray<StageReport> reports;
    private final int size;
    private final ClusterIdentity cluster;
    private final AtomicInteger clients = new AtomicInteger();
    private final AtomicInteger brickLinks = new AtomicInteger();
    private final KeptPrograms programs = new KeptPrograms();
    private final DatagramSenders senders = new DatagramSenders();
    private volatile @Nullable BrickInfo self;
    private volatile boolean causeOfFailureFound;

    /** Makes the stages of a brick that has no directory. */
    public StageGroup(int size) {
        this(size, new ClusterIdentity());
    }

    public StageGroup(int size, ClusterIdentity cluster) {
        this.size = size;
        this.cluster = cluster;
        this.reports = new AtomicReferenceArray<>(size);
    }

    /** Adds a stage, and returns its index. All stages are added before the first one starts. */
    int join(BrickNode stage, Env env) {
        stages.add(stage);
        envs.add(env);
        return stages.size() - 1;
    }

    int size() {
        return size;
    }

    /** Index of the stage that owns a partition. */
    int ownerOf(int partition) {
        return Math.floorMod(partition, size);
    }

    /** The cluster that the brick belongs to. */
    ClusterIdentity cluster() {
        return cluster;
    }

    /** The brick's number, incarnation and address; null before the brick is registered. */
    @Nullable
    BrickInfo self() {
        return self;
    }

    void registered(BrickInfo brick) {
        self = brick;
    }

    /** A stage fails, and no request is to blame that is still unanswered. */
    void causeOfFailureFound() {
        causeOfFailureFound = true;
    }

    boolean isCauseOfFailureFound() {
        return causeOfFailureFound;
    }

    /** Counts one more client; false if there are too many. */
    boolean admitClient(int clientsMax) {
        return admit(clients, clientsMax);
    }

    /** The connection of an admitted client is closed. */
    void clientGone() {
        clients.decrementAndGet();
    }

    /** Counts one more connection of a brick; false if there are too many. */
    boolean admitBrick() {
        return admit(brickLinks, BRICK_LINKS_MAX);
    }

    /** An admitted connection of a brick is closed. */
    void brickGone() {
        brickLinks.decrementAndGet();
    }

    private static boolean admit(AtomicInteger admitted, int most) {
        boolean admits = admitted.incrementAndGet() <= most;
        if (!admits) {
            admitted.decrementAndGet();
        }
        return admits;
    }

    /** The programs that the brick keeps, which its stages share. */
    KeptPrograms programs() {
        return programs;
    }

    /** The clients that may send datagrams. */
    DatagramSenders senders() {
        return senders;
    }

    /** Passes a datagram to the stage that has the sender's link. Datagrams of unknown senders are dropped. */
    void toSender(ByteBuf datagram) {
        DatagramSenders.Sender sender = senders.of(datagram);
        if (sender != null) {
            ByteBuf kept = datagram.retain();
            on(sender.stage(), stage -> {
                stage.onDatagramOf(sender.link(), kept);
                kept.release();
            });
        }
    }

    /** Stops all stages. {@code stopped} runs on the asking stage when all stages have stopped. */
    void stopAll(int asking, Consumer<BrickNode> stopped) {
        BrickNode first = stages.get(asking);
        first.stop();
        int[] serving = {size - 1};
        onOthers(asking, other -> {
            other.stop();
            on(asking, asker -> {
                if (--serving[0] == 0) {
                    stopped.accept(asker);
                }
            });
        });
        if (serving[0] == 0) {
            stopped.accept(first);
        }
    }

    /** Runs something on every stage but one. */
    void onOthers(int index, Consumer<BrickNode> action) {
        for (int k = 0; k < size; k++) {
            if (k != index) {
                on(k, action);
            }
        }
    }

    /** Runs something on a stage. */
    void on(int index, Consumer<BrickNode> action) {
        BrickNode stage = stages.get(index);
        envs.get(index).execute(() -> action.accept(stage));
    }

    /** Sets a stage's report for the next heartbeat. */
    void publish(int index, StageReport report) {
        reports.set(index, report);
    }

    /** The last reports of all stages, together. */
    StageReport reports() {
        StageReport all = StageReport.NOTHING;
        for (int k = 0; k < size; k++) {
            StageReport report = reports.get(k);
            all = report == null ? all : all.plus(report);
        }
        return all;
    }

    /** Has another stage run a request that this stage has admitted. */
    void handOver(int own, int stage, Request request) {
        ByteBuf copy = envs.get(own).allocate(request.length);
        copy.writeBytes(request.buffer, request.at, request.length);
        Link view = view(own, request.link, stage);
        on(stage, node -> {
            node.rerun(view, copy);
            copy.release();
        });
    }

    /** Passes received frames to the stages that own their partitions. */
    void distribute(int own, Link link, ByteBuf frames) {
        @Nullable ByteBuf[] others = new @Nullable ByteBuf[size];
        int from = frames.readerIndex();
        int end = frames.writerIndex();
        int run = from;
        int at = from;
        while (at < end) {
            int length = frames.getIntLE(at);
            int owner = ownerOf(frames, at, length, own);
            if (isMulticast(frames, at, length)) {
                for (int k = 0; k < size; k++) {
                    if (k != own) {
                        others[k] = append(others[k], own, frames, at, length);
                    }
                }
            } else if (owner != own) {
                offerRun(own, link, frames, run, at);
                others[owner] = append(others[owner], own, frames, at, length);
                run = at + length;
            }
            at += length;
        }
        offerRun(own, link, frames, run, end);
        frames.setIndex(from, end);
        for (int k = 0; k < size; k++) {
            if (others[k] != null) {
                handOver(k, view(own, link, k), others[k]);
            }
        }
    }

    private ByteBuf append(@Nullable ByteBuf to, int own, ByteBuf frames, int at, int length) {
        ByteBuf grown = to == null ? envs.get(own).allocate(HAND_OVER_BYTES) : to;
        return grown.writeBytes(frames, at, length);
    }

    /** Whether a frame goes to all stages, because any stage may have the partition of its key. */
    private static boolean isMulticast(ByteBuf frames, int at, int length) {
        return length >= RequestFrame.READ_BODY
                && Opcode.isRequest(frames.getByte(at + RequestFrame.OPCODE))
                && (frames.getByte(at + RequestFrame.FLAGS) & RequestFrame.FLAG_MULTICAST) != 0;
    }

    /** The view of a link that another stage uses. Each view is made once. */
    Link view(int own, Link link, int stage) {
        if (stage == own) {
            return link;
        }
        Link[] views = (Link[]) link.attachment();
        if (views == null) {
            views = new Link[size];
            link.attach(views);
        }
        if (views[stage] == null) {
            views[stage] = Link.view(envs.get(stage), stages.get(stage), link, new ViewConnection(own, link, stage));
            views[stage].holdWithBudgetOf(link);
        }
        return views[stage];
    }

    /** A stage's link is down, so its views are down, too. */
    void linkDown(Link link, String reason) {
        if (link.attachment() instanceof Link[] views) {
            for (int k = 0; k < size; k++) {
                Link view = views[k];
                if (view != null) {
                    envs.get(k).execute(() -> view.onClosed(reason));
                }
            }
        }
    }

    /** A stage's link is writable again. Tells the stages that have a view of the link. */
    void writable(Link link) {
        if (link.attachment() instanceof Link[] views) {
            for (int k = 0; k < size; k++) {
                Link view = views[k];
                if (view != null) {
                    on(k, stage -> stage.onViewWritable(view));
                }
            }
        }
    }

    private int ownerOf(ByteBuf frames, int at, int length, int own) {
        byte opcode = frames.getByte(at + RequestFrame.OPCODE);
        if (Opcode.isRequest(opcode) && length >= RequestFrame.READ_BODY) {
            return ownerOf(frames.getIntLE(at + RequestFrame.PARTITION));
        }
        if (Opcode.isOfGroup(opcode) && length >= GROUP_PARTITION + Integer.BYTES) {
            int columns = frames.getUnsignedShortLE(at + GROUP_COLUMNS);
            int partition = frames.getIntLE(at + GROUP_PARTITION);
            return ownerOf(columns == 0 ? partition : partition / columns); // a parity member protects all its columns
        }
        return opcode == Opcode.SLICE && length > SLICE_CHILD + Integer.BYTES
                ? ownerOf(frames.getIntLE(at + SLICE_CHILD))
                : own;
    }

    private void offerRun(int own, Link link, ByteBuf frames, int from, int to) {
        if (from < to) {
            frames.setIndex(from, to);
            stages.get(own).stage().offer(link, frames);
            frames.setIndex(from, frames.capacity());
        }
    }

    private void handOver(int stage, Link view, ByteBuf frames) {
        on(stage, node -> {
            node.onHandedOver(view, frames);
            frames.release();
        });
    }

    /** The connection of a view: passes the bytes that another stage writes to the stage that owns the link. */
    private final class ViewConnection implements Connection {
        private final int owner;
        private final Link link;
        private final int stage;
        private final List<ByteBuf> written = new ArrayList<>();

        /** Bytes that are under way to the owner of the link. */
        private final AtomicLong handedBytes = new AtomicLong();

        private volatile boolean foundFull;

        ViewConnection(int owner, Link link, int stage) {
            this.owner = owner;
            this.link = link;
            this.stage = stage;
        }

        @Override
        public void write(ByteBuf bytes) {
            handedBytes.addAndGet(bytes.readableBytes());
            written.add(bytes);
        }

        @Override
        public void flush() {
            List<ByteBuf> batch = List.copyOf(written);
            written.clear();
            on(owner, node -> takeOver(node, batch));
        }

        private void takeOver(BrickNode node, List<ByteBuf> batch) {
            long bytes = 0;
            for (ByteBuf part : batch) {
                bytes += part.readableBytes();
                link.append(part);
            }
            node.stage().touched(link);
            handedBytes.addAndGet(-bytes);
            if (foundFull) { // the view was full, though the link itself may not be
                foundFull = false;
                link.flush(); // otherwise the view may be full again, and nothing would tell it when that ends
                Link view = view(owner, link, stage);
                on(stage, other -> other.onViewWritable(view));
            }
        }

        @Override
        public long pendingBytes() {
            long pending = link.pendingBytes() + handedBytes.get();
            if (pending > UnreadBudget.SHARE_BYTES_MIN) {
                // The flag is set before the second read. So a concurrent takeOver sees the flag, or this read sees
                // that
                // takeOver has moved bytes.
                foundFull = true;
                link.willBeFoundFull();
                pending = link.pendingBytes() + handedBytes.get();
            }
            return pending;
        }

        @Override
        public void reading(boolean on) {
            envs.get(owner).execute(on ? link::resumeReading : link::pauseReading);
        }

        @Override
        public void close() {
            envs.get(owner).execute(link::close);
        }

        @Override
        public String remote() {
            return link.remote();
        }
    }
}
