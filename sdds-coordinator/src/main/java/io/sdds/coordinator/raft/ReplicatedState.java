package io.sdds.coordinator.raft;

import io.sdds.core.shell.DurableFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import org.apache.ratis.io.MD5Hash;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.storage.FileInfo;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.StateMachineStorage;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.apache.ratis.statemachine.impl.SimpleStateMachineStorage;
import org.apache.ratis.statemachine.impl.SingleFileSnapshotInfo;
import org.apache.ratis.util.LifeCycle;
import org.apache.ratis.util.MD5FileUtil;
import org.jspecify.annotations.Nullable;

/**
 * The state machine that the library sees. It hands committed commands to the node, and keeps snapshots in files. Runs
 * on the library's threads.
 */
final class ReplicatedState extends BaseStateMachine {
    private final RaftLog log;
    private final SimpleStateMachineStorage storage = new SimpleStateMachineStorage();

    ReplicatedState(RaftLog log) {
        this.log = log;
    }

    @Override
    public void initialize(RaftServer server, RaftGroupId groupId, RaftStorage raftStorage) throws IOException {
        super.initialize(server, groupId, raftStorage);
        getLifeCycle().startAndTransition(() -> {
            storage.init(raftStorage);
            load(storage.getLatestSnapshot());
        });
    }

    /**
     * Called before a snapshot of the leader is installed. The library insists on PAUSED before {@link #reinitialize}.
     */
    @Override
    public void pause() {
        getLifeCycle().transition(LifeCycle.State.PAUSING);
        getLifeCycle().transition(LifeCycle.State.PAUSED);
    }

    /** Loads a snapshot that the leader has sent because this member was far behind. */
    @Override
    public void reinitialize() throws IOException {
        getLifeCycle().startAndTransition(() -> load(storage.loadLatestSnapshot()));
    }

    /** The library has closed its server, because the log was closed or the thread that applies commands has failed. */
    @Override
    public void close() {
        log.onServerClosed();
    }

    private void load(@Nullable SingleFileSnapshotInfo snapshot) throws IOException {
        if (snapshot == null) {
            return;
        }
        Path file = snapshot.getFile().getPath();
        MD5Hash digest = snapshot.getFile().getFileDigest();
        if (digest != null) {
            MD5FileUtil.verifySavedMD5(file.toFile(), digest);
        }
        log.restore(Files.readAllBytes(file));
        TermIndex applied = SimpleStateMachineStorage.getTermIndexFromSnapshotFile(file.toFile());
        setLastAppliedTermIndex(applied);
        log.onApplied(applied.getTerm(), applied.getIndex());
    }

    /** An entry of the library itself was applied. */
    @Override
    public void notifyTermIndexUpdated(long term, long index) {
        super.notifyTermIndexUpdated(term, index);
        log.onApplied(term, index);
    }

    @Override
    public StateMachineStorage getStateMachineStorage() {
        return storage;
    }

    @Override
    public CompletableFuture<Message> applyTransaction(TransactionContext transaction) {
        LogEntryProto entry = transaction.getLogEntry();
        updateLastAppliedTermIndex(entry.getTerm(), entry.getIndex());
        log.onApplied(entry.getTerm(), entry.getIndex());
        return log.apply(entry.getStateMachineLogEntry());
    }

    /**
     * Writes a snapshot. Called by the thread that applies commands, after the node's thread has applied all earlier
     * commands.
     */
    @Override
    public long takeSnapshot() throws IOException {
        TermIndex applied = getLastAppliedTermIndex();
        Path file =
                storage.getSnapshotFile(applied.getTerm(), applied.getIndex()).toPath();
        DurableFile.write(file, log.snapshot());
        MD5Hash digest = MD5FileUtil.computeAndSaveMd5ForFile(file.toFile());
        storage.updateLatestSnapshot(new SingleFileSnapshotInfo(new FileInfo(file, digest), applied));
        return applied.getIndex();
    }

    // ---- who leads

    @Override
    public void notifyLeaderReady() {
        log.onReady();
    }

    @Override
    public void notifyNotLeader(Collection<TransactionContext> pendingEntries) {
        log.onLeading(false);
    }

    @Override
    public void notifyLeaderChanged(RaftGroupMemberId member, @Nullable RaftPeerId leader) {
        log.onLeaderChanged(leader == null ? "" : leader.toString());
    }

    @Override
    public void notifyLogFailed(Throwable cause, @Nullable LogEntryProto failed) {
        log.fail(cause);
    }
}
