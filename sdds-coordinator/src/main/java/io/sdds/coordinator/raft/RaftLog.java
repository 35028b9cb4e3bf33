package io.sdds.coordinator.raft;

import io.sdds.coordinator.control.base.CommandLog;
import io.sdds.coordinator.control.peer.LeadershipRounds;
import io.sdds.coordinator.state.ClusterSnapshot;
import io.sdds.coordinator.state.Command;
import io.sdds.coordinator.state.Result;
import io.sdds.coordinator.state.Result.Rejected;
import io.sdds.coordinator.state.StateCodec;
import io.sdds.core.control.ControlMessage.CoordinatorStatus;
import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.node.Env;
import io.sdds.core.protocol.ProtocolViolation;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.apache.ratis.proto.RaftProtos.StateMachineLogEntryProto;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The command log on Apache Ratis. Commands are on the disks of a majority before their results are passed on.
 *
 * <p>{@link #open}, {@link #propose} and all calls of the listener are on the node's thread; {@link #start} and
 * {@link #close} on any other.
 */
public final class RaftLog implements CommandLog, AutoCloseable {
    /*
     * The library applies committed commands in order, on its own thread. Each command is handed to the node's thread,
     * which has the only copy of the state, and is complete once it was applied there. Snapshots are requested the same
     * way, behind all earlier commands. The node recognizes its own proposals by their call numbers when they come back
     * as commands.
     */
    private static final long NOT_OURS = 0;
    private static final long NOT_LED = -1;
    private static final long SNAPSHOT_WAIT_SECONDS = 30;
    private static final Logger log = LoggerFactory.getLogger(RaftLog.class);

    private final RaftGroupConfig config;
    private volatile RaftGroupId groupId;
    private volatile RejoinGuard guard = RejoinGuard.NONE;
    private final ClientId proposer = ClientId.randomId();
    private final ByteString proposerBytes = proposer.toByteString();
    private final CompletableFuture<Opened> opened = new CompletableFuture<>();
    private final CompletableFuture<Void> ready = new CompletableFuture<>();
    private final CompletableFuture<Throwable> failed = new CompletableFuture<>();
    private final Map<Long, Consumer<Result>> pending = new HashMap<>();
    private final Members members;
    private @Nullable LeadershipRounds rounds;
    private long calls;
    private boolean leading;
    private volatile @Nullable RaftServer server;
    private volatile boolean closing;

    /** The node that opened the log. */
    private record Opened(Env env, Listener listener) {}

    public RaftLog(RaftGroupConfig config) {
        this.config = config;
        this.groupId = RaftGroupId.valueOf(config.group());
        this.members = new Members(config);
    }

    // ---- life

    /** Attaches a node, once. Until then the commands that {@link #start} reads wait. */
    @Override
    public void open(Env env, Listener listener) {
        if (!opened.complete(new Opened(env, listener))) {
            throw new IllegalStateException("this log is open; a new node needs a new one on the same directory");
        }
    }

    /**
     * Reads the log from disk, passes it to the node that has opened the log, and takes part in the group from now on.
     * A leader may be known later: {@link #ready}.
     *
     * @throws IOException when the directory can't be used, or the port of a group of several members is not free
     */
    public void start() throws IOException {
        start(config.group(), RejoinGuard.NONE);
    }

    /**
     * Starts a member with a given group, which a member with an empty directory has learned from the other members.
     *
     * @param rejoining prevents harm by votes and entries that the member has forgotten
     */
    public synchronized void start(UUID group, RejoinGuard rejoining) throws IOException {
        groupId = RaftGroupId.valueOf(group);
        guard = rejoining;
        if (opened.isCancelled()) {
            throw new IOException("the log was closed before it started");
        }
        RaftGroup members = RaftGroup.valueOf(
                groupId, config.members().stream().map(RaftLog::peer).toList());
        boolean known = Files.isDirectory(config.directory().resolve(group.toString()));
        RaftServer starting = RaftServer.newBuilder()
                .setServerId(RaftPeerId.valueOf(config.self()))
                .setGroup(members)
                .setOption(known ? RaftStorage.StartupOption.RECOVER : RaftStorage.StartupOption.FORMAT)
                .setStateMachine(new ReplicatedState(this))
                .setProperties(RaftSettings.of(config))
                .setParameters(MembersRpc.parameters(rejoining, new LeaderSilence(config.electionTimeout())))
                .build();
        server = starting;
        starting.start();
    }

    private static RaftPeer peer(RaftGroupConfig.Member member) {
        return RaftPeer.newBuilder()
                .setId(member.id())
                .setAddress(member.raftAddress())
                .build();
    }

    /** A future that completes once a leader is known, this member or another. */
    public CompletableFuture<Void> ready() {
        return ready.copy();
    }

    /**
     * A future that completes when the log can't go on, because its disk failed or one of its commands can't be
     * applied. Then the process must end.
     */
    public CompletableFuture<Throwable> failed() {
        return failed.copy();
    }

    /** Closes the log, after a start under way has ended. */
    @Override
    public void close() throws IOException {
        closing = true;
        // Without a node, the cancellation ends a start that waits for a node.
        if (!opened.cancel(false) && !opened.isCancelled()) {
            onNode(listener -> {
                if (rounds != null) {
                    rounds.close();
                }
            });
        }
        closeStarted();
    }

    private synchronized void closeStarted() throws IOException {
        RaftServer running = server;
        if (running != null) {
            running.close();
        }
    }

    // ---- proposals

    @Override
    public void propose(Command command, Consumer<Result> done) {
        RaftServer running = server;
        if (!leading || running == null) {
            done.accept(notLeader());
            return;
        }
        if (pending.size() >= PENDING_MAX) {
            done.accept(new Rejected(Refusal.NOT_READY, PENDING_MAX + " commands are waiting for the log"));
            return;
        }
        long proposal = ++calls;
        pending.put(proposal, done);
        try {
            Message message = Message.valueOf(UnsafeByteOperations.unsafeWrap(StateCodec.encode(command)));
            CompletableFuture<?> _ = running.submitClientRequestAsync(request(running, proposal, message))
                    .whenComplete((reply, failure) -> onReply(proposal, reply, failure));
        } catch (IOException e) {
            log.warn("proposal was not taken: {}", e.toString());
            giveUp(proposal);
        }
    }

    private RaftClientRequest request(RaftServer running, long call, Message message) {
        return RaftClientRequest.newBuilder()
                .setClientId(proposer)
                .setServerId(running.getId())
                .setGroupId(groupId)
                .setCallId(call)
                .setMessage(message)
                .setType(RaftClientRequest.writeRequestType())
                .build();
    }

    /**
     * Gives up a proposal whose reply is a failure. A success needs nothing, because the result was passed on when the
     * command was applied. A failure means that leadership is lost, and that the outcome is unknown.
     */
    private void onReply(long proposal, @Nullable RaftClientReply reply, @Nullable Throwable failure) {
        if (failure != null || reply == null || !reply.isSuccess()) {
            log.debug("proposal {} was not confirmed: {} {}", proposal, reply, String.valueOf(failure));
            onNode(listener -> giveUp(proposal));
        }
    }

    private void giveUp(long proposal) {
        Consumer<Result> done = pending.remove(proposal);
        if (done != null) {
            done.accept(notLeader());
        }
    }

    private Rejected notLeader() {
        return new Rejected(Refusal.NOT_LEADER, leaderAddress());
    }

    // ---- who leads

    /** {@inheritDoc} A group of one asks no other member. */
    @Override
    public void confirm(Consumer<Boolean> done) {
        if (config.alone()) {
            done.accept(leading);
            return;
        }
        long term = termLed();
        if (!leading || term == NOT_LED) {
            done.accept(false);
            return;
        }
        if (rounds == null) {
            rounds = new LeadershipRounds(
                    opened.join().env(),
                    config.self(),
                    config.others(),
                    groupId.getUuid(),
                    opened.join().listener()::cluster,
                    config.electionTimeout().toNanos());
        }
        rounds.ask(term, confirmed -> done.accept(confirmed && leading));
    }

    @Override
    public long featuresOfOthers() {
        return config.alone() ? -1 : rounds == null ? 0 : rounds.featuresOfOthers();
    }

    /** The term in which this member believes to lead now. */
    private long termLed() {
        RaftServer.Division division = division();
        if (division == null) {
            return NOT_LED;
        }
        DivisionInfo info = division.getInfo();
        long term = info.getCurrentTerm();
        return info.isLeader() && info.getCurrentTerm() == term ? term : NOT_LED;
    }

    @Override
    public boolean isLeader() {
        return leading;
    }

    @Override
    public String leaderAddress() {
        return members.leaderAddress(division());
    }

    @Override
    public String trouble() {
        return members.trouble(division());
    }

    @Override
    public List<CoordinatorStatus> members() {
        return config.alone() ? List.of() : members.statuses(division());
    }

    /**
     * The end of this member's log; null before the log has started. The term is at least the latest term in which the
     * member may have voted before it lost its disk.
     */
    public @Nullable Position position() {
        RaftServer.Division division = division();
        if (division == null || !division.getInfo().getLifeCycleState().isRunning()) {
            return null; // the term is 0 until the library has read it from the disk
        }
        TermIndex last = division.getRaftLog().getLastEntryTermIndex();
        TermIndex applied = division.getStateMachine().getLastAppliedTermIndex();
        TermIndex latest = last == null || applied != null && applied.compareTo(last) > 0 ? applied : last;
        long term = Math.max(division.getInfo().getCurrentTerm(), guard.term());
        return latest == null || latest.getIndex() < 0
                ? new Position(term, 0, -1)
                : new Position(term, latest.getTerm(), latest.getIndex());
    }

    /** This member's part in the group; null before it has started. */
    RaftServer.@Nullable Division division() {
        RaftServer running = server;
        try {
            return running == null ? null : running.getDivision(groupId);
        } catch (IOException e) {
            return null;
        }
    }

    // ---- from the library's threads

    private void onNode(Consumer<Listener> task) {
        Opened by = opened.join();
        by.env().execute(() -> task.accept(by.listener()));
    }

    /** Applies a committed command on the node's thread. */
    CompletableFuture<Message> apply(StateMachineLogEntryProto entry) {
        CompletableFuture<Message> applied = new CompletableFuture<>();
        byte[] command = entry.getLogData().toByteArray();
        long proposal = entry.getClientId().equals(proposerBytes) ? entry.getCallId() : NOT_OURS;
        onNode(listener -> {
            try {
                Result result = listener.onCommitted(StateCodec.decodeCommand(command));
                applied.complete(Message.EMPTY);
                Consumer<Result> done = pending.remove(proposal);
                if (done != null) {
                    done.accept(result);
                }
            } catch (RuntimeException | Error e) { // the library would wait for ever for the end of this command
                applied.completeExceptionally(e);
                fail(e);
            }
        });
        return applied;
    }

    void onApplied(long term, long index) {
        guard.onApplied(term, index);
    }

    void onLeading(boolean now) {
        onNode(listener -> {
            if (leading != now) {
                leading = now;
                listener.onLeading(now);
            }
        });
    }

    void onLeaderChanged(String id) {
        members.onLeader();
        if (!id.isEmpty() && !id.equals(config.self())) {
            ready.complete(null);
        }
    }

    void onReady() {
        onLeading(true);
        onNode(listener -> ready.complete(null));
    }

    /**
     * The library's server has closed. If this log was not closed, the process must end, because this member would
     * never vote or lead again.
     */
    void onServerClosed() {
        if (!closing) {
            fail(new IOException("the Raft library has closed its server; the error above says why"));
        }
    }

    /** Completes {@link #failed}, because the process can't go on. */
    public void fail(Throwable cause) {
        log.error("the log can't go on", cause);
        failed.complete(cause);
    }

    /** A snapshot of the state after all commands applied before this call. Waits for the node's thread. */
    byte[] snapshot() throws IOException {
        CompletableFuture<byte[]> bytes = new CompletableFuture<>();
        onNode(listener -> {
            try {
                bytes.complete(StateCodec.encode(listener.snapshot()));
            } catch (RuntimeException e) {
                bytes.completeExceptionally(e);
            }
        });
        try {
            return bytes.get(SNAPSHOT_WAIT_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while waiting for a snapshot");
        } catch (ExecutionException | TimeoutException e) {
            throw new IOException("no snapshot could be had", e);
        }
    }

    void restore(byte[] bytes) throws IOException {
        try {
            ClusterSnapshot snapshot = StateCodec.decodeSnapshot(bytes);
            onNode(listener -> listener.onSnapshot(snapshot));
        } catch (ProtocolViolation e) {
            throw new IOException("the snapshot can't be read", e);
        }
    }
}
