package io.sdds.coordinator.raft;

import java.io.File;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.RaftConfigKeys;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.netty.NettyConfigKeys;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.util.SizeInBytes;
import org.apache.ratis.util.TimeDuration;

/** The library's properties. All other properties have their defaults. */
final class RaftSettings {
    /** First election timeout of a group of one. It need not wait, because no other member can lead. */
    private static final Duration ALONE_FIRST_ELECTION_TIMEOUT = Duration.ofMillis(1);

    /**
     * The library checks the silence of the leader after an eighth of the election timeout at the earliest, and sends
     * heartbeats twice as often: see {@link LeaderSilence}.
     */
    private static final int LOOKS = 8;

    private static final Duration FIRST_ELECTION_TIMEOUT = Duration.ofMillis(200);

    private static final String SEGMENT_BYTES = "4MB";
    private static final String PREALLOCATED_BYTES = "64KB";
    private static final String WRITE_BUFFER_BYTES = "1MB";

    /** Largest size of the entries of one message, and so of one command: several times the largest command. */
    private static final String APPEND_BYTES = "512KB";

    private static final int SNAPSHOTS_KEPT = 2;

    private RaftSettings() {}

    static RaftProperties of(RaftGroupConfig config) {
        RaftProperties properties = new RaftProperties();
        RaftServerConfigKeys.setStorageDir(
                properties, List.of(new File(config.directory().toString())));
        elections(properties, config);
        log(properties);
        snapshots(properties, config.snapshotEveryCommands());
        transport(properties, config);
        return properties;
    }

    private static void elections(RaftProperties properties, RaftGroupConfig config) {
        Duration first = config.alone() ? ALONE_FIRST_ELECTION_TIMEOUT : firstElectionTimeout(config);
        RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMin(properties, time(first));
        RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMax(properties, time(first.multipliedBy(2)));
        RaftServerConfigKeys.Rpc.setTimeoutMin(
                properties, time(config.electionTimeout().dividedBy(LOOKS)));
        RaftServerConfigKeys.Rpc.setTimeoutMax(properties, time(config.electionTimeoutMax()));
    }

    /**
     * A member that starts need not wait as long as a leader may pause: if there is a leader, the other members refuse
     * the pre-vote.
     */
    private static Duration firstElectionTimeout(RaftGroupConfig config) {
        return config.electionTimeout().compareTo(FIRST_ELECTION_TIMEOUT) < 0
                ? config.electionTimeout()
                : FIRST_ELECTION_TIMEOUT;
    }

    /** Each append is synced before it counts. This is the library's default, and the coordinator depends on it. */
    private static void log(RaftProperties properties) {
        RaftServerConfigKeys.Log.setSegmentSizeMax(properties, SizeInBytes.valueOf(SEGMENT_BYTES));
        RaftServerConfigKeys.Log.setPreallocatedSize(properties, SizeInBytes.valueOf(PREALLOCATED_BYTES));
        RaftServerConfigKeys.Log.Appender.setBufferByteLimit(properties, SizeInBytes.valueOf(APPEND_BYTES));
        RaftServerConfigKeys.Log.setWriteBufferSize(properties, SizeInBytes.valueOf(WRITE_BUFFER_BYTES));
        RaftServerConfigKeys.Log.setPurgeUptoSnapshotIndex(properties, true);
        RaftServerConfigKeys.Log.setPurgeGap(properties, 1);
    }

    private static void snapshots(RaftProperties properties, long every) {
        RaftServerConfigKeys.Snapshot.setAutoTriggerEnabled(properties, true);
        RaftServerConfigKeys.Snapshot.setAutoTriggerThreshold(properties, every);
        RaftServerConfigKeys.Snapshot.setTriggerWhenStopEnabled(properties, false);
        RaftServerConfigKeys.Snapshot.setRetentionFileNum(properties, SNAPSHOTS_KEPT);
    }

    private static void transport(RaftProperties properties, RaftGroupConfig config) {
        if (config.alone()) {
            RaftConfigKeys.Rpc.setType(properties, new LoneRpc.Type());
            RaftServerConfigKeys.Log.setLogMetadataEnabled(properties, false);
            return;
        }
        RaftConfigKeys.Rpc.setType(properties, new MembersRpc.Type());
        for (RaftGroupConfig.Member member : config.members()) {
            if (member.id().equals(config.self())) {
                int colon = member.raftAddress().lastIndexOf(':');
                NettyConfigKeys.Server.setHost(properties, member.raftAddress().substring(0, colon));
                NettyConfigKeys.Server.setPort(
                        properties, Integer.parseInt(member.raftAddress().substring(colon + 1)));
            }
        }
    }

    private static TimeDuration time(Duration duration) {
        return TimeDuration.valueOf(duration.toMillis(), TimeUnit.MILLISECONDS);
    }
}
