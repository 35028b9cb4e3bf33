package io.sdds.coordinator.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.coordinator.control.base.CommandLog;
import io.sdds.coordinator.control.base.CoordinatorSettings;
import io.sdds.coordinator.state.ClusterState;
import io.sdds.coordinator.state.ParityGroup;
import io.sdds.core.control.ControlMessage;
import io.sdds.core.control.ControlMessage.AcceptLoss;
import io.sdds.core.control.ControlMessage.BrickRegistered;
import io.sdds.core.control.ControlMessage.ClusterStatus;
import io.sdds.core.control.ControlMessage.CreateTable;
import io.sdds.core.control.ControlMessage.DrainBrick;
import io.sdds.core.control.ControlMessage.DrainStatus;
import io.sdds.core.control.ControlMessage.FetchStatus;
import io.sdds.core.control.ControlMessage.MigrationReport;
import io.sdds.core.control.ControlMessage.MigrationState;
import io.sdds.core.control.ControlMessage.PartitionLoad;
import io.sdds.core.control.ControlMessage.Ranked;
import io.sdds.core.control.ControlMessage.TableFound;
import io.sdds.core.control.ControlMessage.TableHealth;
import io.sdds.core.model.AddressBlock;
import io.sdds.core.model.DrainAction;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.Parity;
import io.sdds.core.model.Place;
import io.sdds.core.model.Place.Member;
import io.sdds.core.model.TableDefinition;
import io.sdds.core.model.TableKind;
import io.sdds.core.model.TableSpec;
import io.sdds.core.node.FakeWorld;
import io.sdds.core.protocol.Features;
import io.sdds.core.protocol.Hello;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A coordinator and bricks that only send heartbeats, with a table of parity groups. The test kills and hangs bricks,
 * starts them again, and says how they answer repairs.
 */
public final class ParityCluster {
    public static final int TABLE = 1;
    public static final Duration BEAT = Duration.ofMillis(200);

    /** Longer than a commit takes. */
    public static final Duration COMMIT = Duration.ofMillis(150);

    private static final String ADDRESS = "coordinator:7400";

    public final FakeWorld world;
    public final List<FakeBrick> bricks = new ArrayList<>();

    /** The numbers of bricks whose processes run and send no heartbeats. */
    public final Set<Integer> hanging = new HashSet<>();

    /** The processes that were killed. */
    public final Set<Member> killed = new HashSet<>();

    private final CommandLog log;
    private final FakePeer client;
    private Answers answers = order -> MigrationState.SHIPPING;
    private Answers splits = order -> MigrationState.SHIPPING;
    private Answers joins = order -> MigrationState.SHIPPING;
    private IntPredicate ranked = partition -> false;
    private boolean keepsCopies;
    private CoordinatorNode node;
    private long nonce = 100;

    /** How the target of a repair answers, or the leader of a partition that splits or merges. */
    public interface Answers {
        MigrationState to(MigrationOrder order);
    }

    public ParityCluster(FakeWorld world, CommandLog log, int count) {
        this(world, log, count, Features.ALL);
    }

    /** @param features those that the bricks support */
    public ParityCluster(FakeWorld world, CommandLog log, int count, long features) {
        this.world = world;
        this.log = log;
        node = lead();
        client = new FakePeer(world);
        world.run(COMMIT);
        client.dial(ADDRESS, Hello.Role.CLIENT, "test");
        for (int k = 1; k <= count; k++) {
            FakeBrick brick = new FakeBrick(world, "b" + k, k).thatSupports(features);
            bricks.add(brick);
            assertThat(register(brick)).isTrue();
        }
        beat(1);
    }

    public void create(Parity parity, int partitions) {
        create(TableKind.HASH, parity, partitions);
    }

    public void create(TableKind kind, Parity parity, int partitions) {
        int id = client.send(new CreateTable(
                "t",
                TableSpec.of(kind)
                        .capacity(1000)
                        .firstPartitions(partitions)
                        .parity(parity)
                        .build()));
        beat(3);
        assertThat(client.answer(id)).isInstanceOf(TableFound.class);
    }

    /** Creates a table of replica groups. */
    public void createCopies(TableKind kind, int replicas, int partitions) {
        int id = client.send(new CreateTable(
                "t",
                TableSpec.of(kind)
                        .capacity(1000)
                        .replicas(replicas)
                        .firstPartitions(partitions)
                        .build()));
        beat(3);
        assertThat(client.answer(id)).isInstanceOf(TableFound.class);
    }

    private CoordinatorNode lead() {
        FakeWorld.FakeEnv env = world.newEnv();
        CoordinatorNode next = new CoordinatorNode(env, CoordinatorSettings.of("c1", List.of(ADDRESS)), log);
        next.start();
        world.listen(ADDRESS, env, next::hello, next);
        return next;
    }

    /** Another coordinator leads, and the bricks that live register with it. */
    public void leaderChanges() {
        node.close();
        world.stopListening(ADDRESS);
        node = lead();
        client.dial(ADDRESS, Hello.Role.CLIENT, "test");
        world.run(COMMIT);
        bricks.stream().filter(this::beats).forEach(this::register);
    }

    private boolean register(FakeBrick brick) {
        brick.dial(ADDRESS, Hello.Role.BRICK, brick.id);
        int id = brick.send(brick.registration());
        for (int k = 0; k < COMMIT.toMillis() && brick.answer(id) == null; k++) {
            world.run(Duration.ofMillis(1));
        }
        if (brick.answer(id) instanceof BrickRegistered registered) {
            brick.self = registered.self();
            return true;
        }
        return false;
    }

    public FakePeer client() {
        return client;
    }

    public ClusterState state() {
        return node.state();
    }

    public ParityGroup group(int number) {
        return state().parityGroup(TABLE, number);
    }

    public List<ParityGroup> groups() {
        return IntStream.range(0, state().groups(TABLE)).mapToObj(this::group).toList();
    }

    public Place column(int partition) {
        return state().place(TABLE, partition);
    }

    public void answers(Answers next) {
        answers = next;
    }

    /** How the leaders of partitions that split or merge answer. */
    public void answersSplits(Answers next) {
        splits = next;
    }

    /** Spares and new parities do all that is asked of them at once. */
    public void answerAtOnce() {
        answers(order -> order.isParity() || column(order.receiver()).primary().equals(order.learner())
                ? order.isParity() ? MigrationState.HANDED_OVER : MigrationState.FILLED
                : MigrationState.HANDED_OVER);
    }

    /** How the primary of a partition answers a join. */
    public void answersJoins(Answers next) {
        joins = next;
    }

    /** Which partitions of a table that is being converted have ranks for all records. */
    public void ranks(IntPredicate partitions) {
        ranked = partitions;
    }

    /** Members do not give up their copies, though they are ordered to leave. */
    public void keepsCopies() {
        keepsCopies = true;
    }

    public static Member process(FakeBrick brick) {
        return new Member(brick.self().number(), brick.self().incarnation());
    }

    public FakeBrick brick(int number) {
        return bricks.stream()
                .filter(brick -> brick.self().number() == number)
                .findFirst()
                .orElseThrow();
    }

    /**
     * Whether a brick leads a partition whose log tells the end of a split or merge, or is the target of a lost one.
     */
    private boolean decides(FakeBrick brick, MigrationOrder order) {
        return leads(brick, order.sender())
                || order.isMerge() && leads(brick, order.receiver())
                || column(order.sender()).lost() && order.target().primary().equals(process(brick));
    }

    private boolean leads(FakeBrick brick, int partition) {
        return column(partition).primary().equals(process(brick));
    }

    public boolean isDead(FakeBrick brick) {
        return killed.contains(process(brick));
    }

    private boolean beats(FakeBrick brick) {
        return !isDead(brick) && !hanging.contains(brick.self().number());
    }

    public void kill(int number) {
        FakeBrick brick = brick(number);
        killed.add(process(brick));
        hanging.remove(number);
        brick.crash();
    }

    /** Starts the next process of a dead brick. Returns whether the coordinator has registered it. */
    public boolean restart(int number) {
        FakeBrick old = brick(number);
        FakeBrick next = new FakeBrick(world, old.id, nonce++);
        if (register(next)) {
            bricks.set(bricks.indexOf(old), next);
            return true;
        }
        next.crash();
        return false;
    }

    /** The process of a hanging brick goes on. Its link may be one to an earlier coordinator. */
    public void goOn(int number) {
        if (hanging.remove(number)) {
            register(brick(number));
        }
    }

    /** All bricks that live send heartbeats, so many times. */
    public void beat(int times) {
        for (int k = 0; k < times; k++) {
            world.run(BEAT.minusMillis(2L * bricks.size()));
            for (FakeBrick brick : bricks) {
                if (beats(brick)) {
                    brick.reports.clear();
                    state().repairs().stream()
                            .filter(order -> order.learner().equals(process(brick)))
                            .forEach(order ->
                                    brick.reports.add(new MigrationReport(order.id(), answers.to(order), 1, 2)));
                    state().splits().stream()
                            .filter(order -> decides(brick, order))
                            .forEach(order ->
                                    brick.reports.add(new MigrationReport(order.id(), splits.to(order), 1, 2)));
                    state().migrations().stream()
                            .filter(order ->
                                    order.isMove() && order.source().primary().equals(process(brick)))
                            .forEach(order ->
                                    brick.reports.add(new MigrationReport(order.id(), answers.to(order), 1, 2)));
                    reportReplicas(brick);
                    brick.beat();
                } else {
                    world.run(Duration.ofMillis(2));
                }
            }
        }
    }

    /** Reports joins, copies that are given up, and ranks. */
    private void reportReplicas(FakeBrick brick) {
        state().learners().stream()
                .filter(order -> leads(brick, order.sender()))
                .forEach(order -> brick.reports.add(new MigrationReport(order.id(), joins.to(order), 1, 2)));
        brick.loads.removeIf(load -> load.level() == PartitionLoad.GIVEN_UP);
        state().leaves().stream()
                .filter(leave -> !keepsCopies && leave.leaver().equals(process(brick)))
                .forEach(leave -> brick.loads.add(new PartitionLoad(
                        leave.table(), leave.partition(), PartitionLoad.GIVEN_UP, 0, 0, leave.epoch())));
        brick.ranked.clear();
        brick.map.tables().stream()
                .filter(table -> table.definition().isConverting())
                .forEach(table -> addRanked(brick, table.definition()));
    }

    /** Adds the partitions that a brick leads by the map that it knows. */
    private void addRanked(FakeBrick brick, TableDefinition table) {
        for (AddressBlock block : brick.map.blocks(table.id())) {
            for (int k = 0; k < block.places().size(); k++) {
                Place place = block.places().get(k);
                boolean inForce = block.parities().get(table.parity().group(k)).inForce();
                if (!inForce && place.primary().equals(process(brick)) && ranked.test(k)) {
                    brick.ranked.add(new Ranked(table.id(), k, place.epoch()));
                }
            }
        }
    }

    public DrainStatus drain(int number, DrainAction action) {
        return (DrainStatus) client.ask(new DrainBrick(brick(number).id, action));
    }

    /** The answer to a request of a client; null if there is none yet after some heartbeats. */
    public @Nullable ControlMessage ask(ControlMessage request) {
        int id = client.send(request);
        beat(3);
        return client.answer(id);
    }

    public void acceptLoss() {
        client.send(new AcceptLoss("t", true));
        beat(3);
    }

    public @Nullable TableHealth health() {
        ClusterStatus status = status();
        return status == null ? null : status.tables().getFirst().health();
    }

    public @Nullable ClusterStatus status() {
        int id = client.send(new FetchStatus(true));
        world.run(Duration.ofMillis(5));
        return client.answer(id) instanceof ClusterStatus status ? status : null;
    }
}
