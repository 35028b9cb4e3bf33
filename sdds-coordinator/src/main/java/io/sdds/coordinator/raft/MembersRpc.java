package io.sdds.coordinator.raft;

import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.Set;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.netty.server.NettyRpcService;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotReplyProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteReplyProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionReplyProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionRequestProto;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.rpc.RpcFactory;
import org.apache.ratis.rpc.RpcType;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.RaftServerRpc;
import org.apache.ratis.server.ServerFactory;

/**
 * The transport between the members of a group: the library's own transport on Netty with two restrictions. A member
 * that has lost its disk holds back as its {@link RejoinGuard} requires. The port answers only requests between
 * members.
 */
final class MembersRpc implements RaftServerRpc {
    private static final String GUARD = "sdds.guard";
    private static final String SILENCE = "sdds.silence";

    /** The requests of one member to another. The library would also accept commands, and changes of the group. */
    private static final Set<String> ANSWERED =
            Set.of("requestVote", "appendEntries", "installSnapshot", "startLeaderElection");

    private static final Set<String> REQUESTS = Set.of(
            "submitClientRequest",
            "submitClientRequestAsync",
            "setConfiguration",
            "setConfigurationAsync",
            "transferLeadership",
            "groupManagement",
            "getGroupList",
            "getGroupInfo",
            "snapshotManagement",
            "leaderElectionManagement");

    private final RaftServerRpc netty;
    private final RejoinGuard guard;
    private final LeaderSilence silence;

    /** The type of this transport. The library finds the type by its name. */
    public static final class Type implements RpcType {
        @Override
        public String name() {
            return Type.class.getName();
        }

        @Override
        public RpcFactory newFactory(Parameters parameters) {
            return new Factory(parameters.get(GUARD, RejoinGuard.class), parameters.get(SILENCE, LeaderSilence.class));
        }
    }

    private record Factory(RejoinGuard guard, LeaderSilence silence) implements ServerFactory {
        @Override
        public RaftServerRpc newRaftServerRpc(RaftServer server) {
            return new MembersRpc(server, guard, silence);
        }

        @Override
        public RpcType getRpcType() {
            return new Type();
        }
    }

    /** The parameters by which the library passes the guard and the silence to the transport. */
    static Parameters parameters(RejoinGuard guard, LeaderSilence silence) {
        Parameters parameters = new Parameters();
        parameters.put(SILENCE, silence, LeaderSilence.class);
        parameters.put(GUARD, guard, RejoinGuard.class);
        return parameters;
    }

    private MembersRpc(RaftServer server, RejoinGuard guard, LeaderSilence silence) {
        this.guard = guard;
        this.silence = silence;
        RaftServer answering = (RaftServer) Proxy.newProxyInstance(
                RaftServer.class.getClassLoader(),
                new Class<?>[] {RaftServer.class},
                new Answering(server, guard, silence));
        this.netty = NettyRpcService.newBuilder().setServer(answering).build();
    }

    /** The server with the restrictions for requests of other members. */
    private record Answering(RaftServer server, RejoinGuard guard, LeaderSilence silence) implements InvocationHandler {
        @Override
        public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
            if (REQUESTS.contains(method.getName())) {
                throw new IOException("members of the group vote and append here, nothing else: " + method.getName());
            }
            if (ANSWERED.contains(method.getName())) {
                check(arguments[0]);
            }
            try {
                return method.invoke(server, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }

        private void check(Object request) throws IOException {
            switch (request) {
                case RequestVoteRequestProto vote
                when vote.getPreVote() -> {
                    require(guard.mayStand()); // a pre-vote promises nothing, and comes before the next term has begun
                    silence.requireForPreVote();
                }
                case RequestVoteRequestProto vote -> require(guard.mayVoteIn(vote.getCandidateTerm()));
                case AppendEntriesRequestProto append -> {
                    require(guard.mayFollowIn(append.getLeaderTerm()));
                    silence.heard();
                }
                case InstallSnapshotRequestProto install -> {
                    require(guard.mayFollowIn(install.getLeaderTerm()));
                    silence.heard();
                }
                case StartLeaderElectionRequestProto start -> require(guard.mayStand());
                default -> {}
            }
        }
    }

    private static void require(boolean condition) throws IOException {
        if (!condition) {
            throw new IOException("this member has lost its disk and has not caught up yet");
        }
    }

    @Override
    public RequestVoteReplyProto requestVote(RequestVoteRequestProto request) throws IOException {
        require(guard.mayStand());
        if (request.getPreVote()) {
            silence.requireForPreVote();
        }
        return netty.requestVote(request);
    }

    @Override
    public AppendEntriesReplyProto appendEntries(AppendEntriesRequestProto request) throws IOException {
        return netty.appendEntries(request);
    }

    @Override
    public InstallSnapshotReplyProto installSnapshot(InstallSnapshotRequestProto request) throws IOException {
        return netty.installSnapshot(request);
    }

    @Override
    public StartLeaderElectionReplyProto startLeaderElection(StartLeaderElectionRequestProto request)
            throws IOException {
        return netty.startLeaderElection(request);
    }

    @Override
    public RpcType getRpcType() {
        return new Type();
    }

    @Override
    public void start() throws IOException {
        netty.start();
    }

    @Override
    public void close() throws IOException {
        netty.close();
    }

    @Override
    public InetSocketAddress getInetSocketAddress() {
        return netty.getInetSocketAddress();
    }

    @Override
    public void addRaftPeers(Collection<RaftPeer> peers) {
        netty.addRaftPeers(peers);
    }

    @Override
    public void handleException(RaftPeerId peer, Exception exception, boolean reconnect) {
        netty.handleException(peer, exception, reconnect);
    }

    @Override
    public void notifyNotLeader(org.apache.ratis.protocol.RaftGroupId groupId) {
        netty.notifyNotLeader(groupId);
    }
}
