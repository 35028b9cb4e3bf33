package io.sdds.coordinator.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.core.Seeds;
import io.sdds.core.addressing.LinearHashing;
import io.sdds.core.model.AddressBlock;
import io.sdds.core.model.BrickInfo;
import io.sdds.core.model.KeySpan;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.Parity;
import io.sdds.core.model.ParityMembers;
import io.sdds.core.model.Place;
import io.sdds.core.model.TableKind;
import io.sdds.core.model.TableMap;
import io.sdds.core.model.TableSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Tests that the state keeps its invariants under random commands in random order. */
class ClusterStatePropertyTest {
    private static final int RUNS = Seeds.part(80);
    private static final int COMMANDS = 1000;

    private final long seed = Seeds.next("ClusterStatePropertyTest");

    @Test
    void keepsItsLawsUnderAnyCommands() {
        for (int run = 0; run < RUNS; run++) {
            long runSeed = seed + run;
            try {
                new Run(new SplittableRandom(runSeed)).go();
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + runSeed + " (run it with -Dsdds.seed=" + runSeed + ")", e);
            }
        }
    }

    private static final class Run {
        private final SplittableRandom random;
        private final Set<Integer> tableIds = new HashSet<>();
        private final Set<Long> migrations = new HashSet<>();
        private final Set<Long> sessions = new HashSet<>();
        /**
         * The last place of each partition number, by table and partition, also of numbers that no partition has any
         * more.
         */
        private final Map<List<Integer>, Place> places = new HashMap<>();

        private final Map<List<Integer>, ParityMembers> parities = new HashMap<>();
        private final Map<List<Integer>, List<Long>> epochsOfGroups = new HashMap<>();

        private final List<MapCopy> copies = List.of(new MapCopy(), new MapCopy(), new MapCopy());
        private ClusterState state = new ClusterState();
        private final ClusterState twin = new ClusterState();
        private long nonces = 100;

        Run(SplittableRandom random) {
            this.random = random;
        }

        void go() {
            for (int k = 0; k < COMMANDS; k++) {
                step();
            }
            assertThat(twin.snapshot()).isEqualTo(state.snapshot());
            assertThat(state.tables().stream()
                            .mapToInt(TableMap::partitions)
                            .max()
                            .orElse(0))
                    .isPositive();
        }

        private void step() {
            Command command = StateCodec.decodeCommand(StateCodec.encode(command()));
            ClusterSnapshot before = state.snapshot();
            Result result = state.apply(command);
            assertThat(twin.apply(command)).isEqualTo(result);
            if (result instanceof Result.Rejected) {
                assertThat(state.snapshot()).isEqualTo(before);
            }
            assertThat(state.version()).isBetween(before.version(), before.version() + 1);
            assertNothingGivenTwice(result);
            assertPlaces();
            assertSplits();
            assertRepairs();
            assertCopyFollows(copies.get(random.nextInt(copies.size())));
            if (random.nextInt(50) == 0) {
                restart();
            }
        }

        private void restart() {
            ClusterSnapshot snapshot = state.snapshot();
            ClusterState restored = new ClusterState();
            restored.apply(new Command.OpenSession()); // the restored state had other contents before
            restored.restore(StateCodec.decodeSnapshot(StateCodec.encode(snapshot)));
            assertThat(restored.snapshot()).isEqualTo(snapshot);
            state = restored;
        }

        private void assertNothingGivenTwice(Result result) {
            switch (result) {
                case Result.TableCreated created ->
                    assertThat(tableIds.add(created.table().definition().id())).isTrue();
                case Result.MigrationBegun begun ->
                    assertThat(migrations.add(begun.order().id())).isTrue();
                case Result.SessionOpened opened ->
                    assertThat(sessions.add(opened.session())).isTrue();
                default -> {}
            }
        }

        /**
         * Every partition has one place, which is lost or at a brick's present process. A parity group may keep a
         * process that was replaced until a command decides. Counts and versions agree.
         */
        private void assertPlaces() {
            int[] counted = new int[state.bricks().size() + 1];
            for (TableMap table : state.tables()) {
                int id = table.definition().id();
                int partitions = 0;
                for (int number = 0; state.block(id, number) != null; number++) {
                    AddressBlock block = Objects.requireNonNull(state.block(id, number));
                    assertThat(partitions).isEqualTo(number * AddressBlock.SIZE);
                    assertThat(block.version()).isLessThanOrEqualTo(table.version());
                    partitions += block.places().size();
                    for (int k = 0; k < block.places().size(); k++) {
                        Place place = block.places().get(k);
                        assertEpochRises(id, number * AddressBlock.SIZE + k, place);
                        boolean mayBeReplaced = state.standsOnParity(id, number * AddressBlock.SIZE + k);
                        for (Place.Member member : place.members()) {
                            counted[member.brick()]++;
                            assertThat(state.isCurrent(member.brick(), member.incarnation()) || mayBeReplaced)
                                    .isTrue();
                        }
                    }
                }
                countParities(table, counted);
                assertThat(partitions).isEqualTo(state.columns(id));
                assertThat(table.partitions()).isBetween(1, partitions);
                assertThat(table.partitions() == partitions
                                || table.definition().hasParity())
                        .isTrue();
                assertThat(table.version()).isLessThanOrEqualTo(state.version());
            }
            for (BrickInfo brick : state.bricks()) {
                assertThat(state.places(brick.number())).isEqualTo(counted[brick.number()]);
            }
        }

        /**
         * No brick holds a parity and another member of its group, but a parity that leads a column. While a table is
         * converted to parity, some group stands on replicas; while it is converted to replicas, some group stands on
         * parity. Groups that stand on replicas have backups, as do groups of a table that is converted to replicas,
         * and no parity leads a column with backups. A change of the parities that are members raises the epochs of all
         * columns. Each group has as many parities as its table.
         */
        private void countParities(TableMap table, int[] counted) {
            int id = table.definition().id();
            Parity parity = table.definition().parity();
            boolean toReplicas = table.definition().isConvertingToReplicas();
            boolean anyOnReplicas = false;
            boolean anyOnParity = false;
            for (int group = 0; group < state.groups(id); group++) {
                ParityMembers members = state.parities(id, group);
                Set<Integer> bricks = new HashSet<>();
                List<Long> epochs = new ArrayList<>();
                int end = Math.min((group + 1) * parity.columns(), state.columns(id));
                for (int a = group * parity.columns(); a < end; a++) {
                    Place place = state.place(id, a);
                    epochs.add(place.lost() ? 0 : place.epoch());
                    if (!members.leads(place)) {
                        bricks.add(place.brick());
                        place.backups().forEach(backup -> bricks.add(backup.brick()));
                    }
                    assertThat(
                                    members.leads(place)
                                            ? members.inForce()
                                                    && place.backups().isEmpty()
                                            : true)
                            .isTrue();
                    assertThat(place.backups().isEmpty() || !members.inForce() || toReplicas)
                            .isTrue();
                }
                anyOnReplicas |= !members.inForce();
                anyOnParity |= members.inForce();
                for (Place.Member member : members.present()) {
                    counted[member.brick()]++;
                    assertThat(bricks.add(member.brick())).isTrue();
                }
                assertThat(members.members()).hasSize(parity.parities());
                ParityMembers before = parities.put(List.of(id, group), members);
                List<Long> epochsBefore = epochsOfGroups.put(List.of(id, group), epochs);
                if (before != null && epochsBefore != null && !before.present().equals(members.present())) {
                    for (int column = 0; column < epochs.size(); column++) {
                        assertThat(epochs.get(column) == 0 || epochs.get(column) > epochsBefore.get(column))
                                .isTrue();
                    }
                }
            }
            assertThat(toReplicas ? anyOnParity : table.definition().isConvertingToParity() == anyOnReplicas)
                    .isTrue();
        }

        /**
         * Each new place of a partition has a higher epoch than the place before. Only a lost place may have the same
         * epoch.
         */
        private void assertEpochRises(int table, int partition, Place place) {
            Place before = places.put(List.of(table, partition), place);
            if (before != null && !before.equals(place)) {
                long atLeast = before.epoch() + (place.lost() ? 0 : 1);
                assertThat(place.epoch())
                        .as("partition %s of table %s: %s after %s", partition, table, place, before)
                        .isGreaterThanOrEqualTo(atLeast);
            }
            assertThat(place.epoch()).isBetween(Place.FIRST_EPOCH, state.version());
        }

        private void assertSplits() {
            Map<Integer, Integer> next = new HashMap<>();
            for (MigrationOrder order : state.splits()) {
                int partitions =
                        Objects.requireNonNull(state.table(order.table())).partitions();
                if (order.isMove()) {
                    assertMove(order, partitions);
                    continue;
                }
                int child = order.isMerge() ? partitions - 1 : next.getOrDefault(order.table(), partitions);
                next.put(order.table(), child + 1);
                assertThat(order.child()).isEqualTo(child);
                assertThat(order.parent()).isEqualTo(LinearHashing.splitPointer(child));
                assertThat(order.level()).isEqualTo(LinearHashing.level(child));
                int level = order.isMerge() ? order.level() + 1 : order.level();
                assertThat(order.sender()).isLessThan(partitions);
                assertThat(LinearHashing.levelOf(order.sender(), partitions)).isEqualTo(level);
                boolean first = order.isMerge() || child == partitions;
                assertThat(order.equals(state.splitOf(order.table()))).isEqualTo(first);
                if (state.table(order.table()).definition().hasParity()) {
                    assertColumns(order, first);
                    continue;
                }
                Place sender = state.place(order.table(), order.sender());
                if (state.isReplicated(order.table())) { // another member may lead the sender by now
                    assertThat(sender.lost() && !state.isCurrent(order.target()))
                            .isFalse();
                    continue;
                }
                boolean sourceLives = state.isCurrent(order.source());
                assertThat(sourceLives || state.isCurrent(order.target())).isTrue();
                assertIs(sender, order.source(), sourceLives);
                if (order.isMerge()) {
                    Place receiver = state.place(order.table(), order.receiver());
                    assertIs(receiver, order.target(), state.isCurrent(order.target()));
                }
            }
            next.forEach((table, ordered) ->
                    assertThat(state.partitionsOrdered(table)).isEqualTo(ordered));
        }

        /**
         * Checks that the sender of a split or merge of columns, or the process of the order at the receiver, can tell
         * the end, and that the sender is not recovered before.
         */
        private void assertColumns(MigrationOrder order, boolean first) {
            Place sender = state.place(order.table(), order.sender());
            Place receiver = state.place(order.table(), order.receiver());
            assertThat(sender.epoch()).isGreaterThanOrEqualTo(order.sourceEpoch());
            assertThat(receiver.epoch()).isGreaterThanOrEqualTo(order.target().epoch());
            assertThat(state.repairs())
                    .noneMatch(repair -> repair.isRecovery()
                            && repair.table() == order.table()
                            && repair.sender() == order.sender());
            if (sender.lost()) {
                assertThat(first).isTrue();
                assertThat(
                                order.isMerge()
                                        ? !receiver.lost()
                                        : receiver.primary()
                                                        .equals(order.target().primary())
                                                && state.isCurrent(receiver))
                        .isTrue();
            }
        }

        /** Every repair goes to a present process, and its column is degraded or the spare's; or no column lacks. */
        private void assertRepairs() {
            for (MigrationOrder order : state.repairs()) {
                assertThat(state.isCurrent(order.target())).isTrue();
                int group = Objects.requireNonNull(state.table(order.table()))
                        .definition()
                        .parity()
                        .group(order.sender());
                ParityGroup members = state.parityGroup(order.table(), group);
                Place place = members.column(order.sender());
                assertThat(members.repairs()).contains(order);
                if (order.isParity()) {
                    assertThat(members.repairs()).containsExactly(order);
                    assertThat(members.areColumnsComplete()).isTrue();
                    assertThat(members.parities().isMissing(order.parityIndex()))
                            .isTrue();
                } else {
                    assertThat(members.isDegraded(place) || members.isFilling(place))
                            .isTrue();
                }
            }
        }

        /** Checks that a place is the ordered one, or lost with its process. */
        private static void assertIs(Place place, Place ordered, boolean lives) {
            assertThat(place).isEqualTo(lives ? ordered : Place.lost(ordered.epoch()));
        }

        /** Checks that a partition that moves has no other migration. */
        private void assertMove(MigrationOrder move, int partitions) {
            assertThat(move.level()).isEqualTo(LinearHashing.levelOf(move.parent(), partitions));
            assertThat(move.source().brick()).isNotEqualTo(move.target().brick());
            boolean sourceLives = state.isCurrent(move.source());
            assertThat(sourceLives || state.isCurrent(move.target())).isTrue();
            boolean isColumn = state.table(move.table()).definition().hasParity(); // keeps a process that was replaced
            assertIs(state.place(move.table(), move.parent()), move.source(), sourceLives || isColumn);
            assertThat(state.splits())
                    .filteredOn(other -> other.table() == move.table()
                            && (other.parent() == move.parent() || other.child() == move.parent()))
                    .containsExactly(move);
        }

        private void assertCopyFollows(MapCopy copy) {
            copy.take(state.changesSince(copy.version()));
            assertThat(copy.version()).isEqualTo(state.version());
            assertThat(copy.bricks()).isEqualTo(state.bricks());
            assertThat(copy.tables()).isEqualTo(state.tables());
            assertThat(copy.splits()).isEqualTo(state.splits());
            assertThat(copy.repairs()).isEqualTo(state.repairs());
            for (TableMap table : state.tables()) {
                int id = table.definition().id();
                List<AddressBlock> blocks = new ArrayList<>();
                for (int number = 0; state.block(id, number) != null; number++) {
                    blocks.add(state.block(id, number));
                }
                assertThat(copy.blocks(id)).isEqualTo(blocks);
            }
            for (long session : sessions) {
                assertThat(copy.hasEnded(session)).isEqualTo(!state.isActive(session));
            }
        }

        // ---- commands, most of which fit

        private Command command() {
            return switch (random.nextInt(24)) {
                case 0 -> register();
                case 22, 23 ->
                    random.nextInt(4) == 0
                            ? new Command.StoreStatistics(table(), StatisticsCommandsTest.SOME)
                            : schema();
                case 20, 21 -> conversion();
                case 1 -> random.nextBoolean() ? parityTable() : new Command.OpenSession();
                case 2 ->
                    new Command.CreateTable(
                            "t" + random.nextInt(6),
                            TableSpec.of(TableKind.HASH)
                                    .capacityRecords(random.nextInt(3) * 100L)
                                    .capacityBytes(1000)
                                    .ttlMillis(random.nextInt(2) * 60_000L)
                                    .build(),
                            List.of(new Command.Host(brick(), incarnation())));
                case 3 -> random.nextInt(4) == 0 ? new Command.DropTable(table()) : new Command.OpenSession();
                case 4 ->
                    random.nextBoolean() ? new Command.BrickEnded(brick(), incarnation()) : new Command.OpenSession();
                case 5 -> new Command.EndSessions(List.of(session(), session()));
                case 6 ->
                    new Command.AcceptLoss(
                            table(),
                            List.of(new Command.Host(brick(), incarnation()), new Command.Host(brick(), incarnation())),
                            random.nextBoolean());
                case 13 -> move();
                case 14, 15, 16 -> ofParityGroup();
                case 7 -> random.nextBoolean() ? Begin.undone(state, migration()) : merge();
                case 8, 9, 10, 11, 12 -> new Command.CommitMigration(migration());
                default -> {
                    int table = table();
                    TableMap map = state.table(table);
                    int partitions =
                            map == null ? 1 : state.partitionsOrdered(table) - (random.nextInt(10) == 0 ? 1 : 0);
                    yield Begin.split(state, table, partitions, brick(), incarnation());
                }
            };
        }

        /** Creates a table with a schema, or changes the schema of a table. */
        private Command schema() {
            int id = table();
            TableMap map = state.table(id);
            return map == null || !map.definition().schema().exists()
                    ? SchemaCommandsTest.create(
                            "t" + random.nextInt(6),
                            SchemaCommandsTest.SCHEMA,
                            new Command.Host(brick(), incarnation()))
                    : SchemaCommandsTest.change(map.definition(), random);
        }

        private Command parityTable() {
            int groups = random.nextInt(1, 3);
            Parity parity = new Parity(2, random.nextInt(1, 3));
            List<Command.Host> columns = new ArrayList<>();
            List<Command.Host> parityHosts = new ArrayList<>();
            for (int group = 0; group < groups; group++) {
                int first = random.nextInt(5);
                for (int k = 0; k < parity.bricks(); k++) {
                    chosenBrick = 1 + (first + k) % Math.max(1, state.bricks().size());
                    (k < 2 ? columns : parityHosts).add(new Command.Host(chosenBrick, incarnation()));
                }
            }
            return new Command.CreateTable(
                    "p" + random.nextInt(3),
                    TableSpec.of(TableKind.HASH)
                            .capacity(100)
                            .firstPartitions(columns.size())
                            .parity(parity)
                            .build(),
                    columns,
                    parityHosts);
        }

        private Command ofParityGroup() {
            List<TableMap> tables = state.tables().stream()
                    .filter(map -> map.definition().hasParity())
                    .toList();
            if (tables.isEmpty()) {
                return parityTable();
            }
            TableMap map = tables.get(random.nextInt(tables.size()));
            int id = map.definition().id();
            ParityGroup group = state.parityGroup(id, random.nextInt(state.groups(id)));
            int column = group.first() + random.nextInt(group.columns().size());
            Command.Host host = new Command.Host(brick(), incarnation());
            return switch (random.nextInt(9)) {
                case 0 -> lossOf(group);
                case 5 -> addColumn(map);
                case 6, 7 -> columnSplit(map);
                case 8 -> alteration(map);
                case 1 ->
                    Command.BeginMigration.recovery(
                            id, column, group.column(column).epoch(), host);
                case 2 ->
                    Command.BeginMigration.parity(
                            id, group.first(), group.column(group.first()).epoch(), host);
                case 3 -> new Command.EndRecovery(migration());
                default ->
                    new Command.AbandonMigration(
                            migration(), group.column(column).epoch());
            };
        }

        /** Begins to convert a table, or changes or ends a group that stands on replicas. */
        private Command conversion() {
            int id = table();
            TableMap map = state.table(id);
            Command.Host host = new Command.Host(brick(), incarnation());
            if (map != null && !map.definition().isConverting() && random.nextInt(3) == 0) {
                int replicas = random.nextInt(1, 4);
                return map.definition().hasParity()
                        ? new Command.ConvertToReplicas(id, replicas)
                        : new Command.AlterReplicas(id, replicas);
            }
            if (map == null || !map.definition().isConverting()) {
                return new Command.ConvertToParity(id, new Parity(2, random.nextInt(1, 3)), List.of(host));
            }
            ParityGroup group = state.parityGroup(id, random.nextInt(state.groups(id)));
            int column = group.first() + random.nextInt(group.columns().size());
            Place place = state.place(id, column);
            return switch (random.nextInt(5)) {
                case 0 -> new Command.EndConversion(id, group.number(), group.epochs());
                case 1 -> Command.BeginMigration.learner(id, column, place.epoch(), host);
                case 2 -> new Command.BeginLeave(id, column, place.epoch(), host(place.primary()), true);
                case 3 ->
                    new Command.ChangeGroups(group.columns().stream()
                            .map(each -> change(group, each))
                            .toList());
                default ->
                    Command.BeginMigration.parity(
                            id, group.first(), group.column(group.first()).epoch(), host);
            };
        }

        /** A change by which some members of a column leave. */
        private Command.GroupChange change(ParityGroup group, Place column) {
            List<Command.Host> left = column.members().stream()
                    .filter(member -> random.nextBoolean())
                    .map(Run::host)
                    .toList();
            int partition = group.first() + group.columns().indexOf(column);
            return new Command.GroupChange(group.table().id(), partition, column.epoch(), left);
        }

        /** Adds the next column, with the parities of its group if it needs them. */
        private Command addColumn(TableMap map) {
            int id = map.definition().id();
            Parity parity = map.definition().parity();
            int first = random.nextInt(5);
            List<Command.Host> hosts = new ArrayList<>();
            int count = 1 + (parity.column(state.columns(id)) == 0 ? parity.parities() : 0);
            for (int k = 0; k < count; k++) {
                chosenBrick = 1 + (first + k) % Math.max(1, state.bricks().size());
                hosts.add(new Command.Host(chosenBrick, incarnation()));
            }
            return new Command.AddColumn(id, state.columns(id), hosts.getFirst(), hosts.subList(1, count));
        }

        private Command columnSplit(TableMap map) {
            int id = map.definition().id();
            int child = state.partitionsOrdered(id);
            if (child >= state.columns(id)) {
                return addColumn(map);
            }
            int parent = LinearHashing.splitPointer(child);
            return Command.BeginMigration.columnSplit(
                    id,
                    parent,
                    child,
                    KeySpan.ALL,
                    state.place(id, parent).epoch(),
                    state.place(id, child).epoch());
        }

        private Command alteration(TableMap table) {
            Parity before = table.definition().parity();
            return new Command.AlterParity(
                    table.definition().id(), before, new Parity(before.columns(), random.nextInt(1, 4)));
        }

        /** A change of a group by which members are missing, led or lost by chance. */
        private Command lossOf(ParityGroup group) {
            List<Command.Host> parityHosts = new ArrayList<>();
            for (Place.Member member : group.parities().members()) {
                parityHosts.add(random.nextInt(4) == 0 ? Command.Host.NONE : host(member));
            }
            Command.Host lead = parityHosts.stream()
                    .filter(host -> !host.equals(Command.Host.NONE))
                    .findFirst()
                    .orElse(Command.Host.NONE);
            List<Command.Host> columns = new ArrayList<>();
            for (Place place : group.columns()) {
                columns.add(random.nextInt(3) == 0 || group.isDegraded(place) ? lead : host(place.primary()));
            }
            return new Command.ChangeParityGroups(List.of(new Command.ParityGroupChange(
                    group.table().id(), group.number(), group.epochs(), columns, parityHosts)));
        }

        private static Command.Host host(Place.Member member) {
            return new Command.Host(member.brick(), member.incarnation());
        }

        private Command merge() {
            int table = table();
            TableMap map = state.table(table);
            return Begin.merge(state, table, map == null ? 2 : map.partitions());
        }

        private Command move() {
            int table = table();
            TableMap map = state.table(table);
            int partition = map == null ? 0 : random.nextInt(map.partitions());
            return Begin.move(state, table, partition, new Command.Host(brick(), incarnation()));
        }

        private Command register() {
            String id = "b" + random.nextInt(5);
            BrickInfo known = state.brick(id);
            long replaced = known == null ? 0 : known.incarnation() - (random.nextInt(5) == 0 ? 1 : 0);
            long nonce = random.nextInt(4) == 0 ? nonces : ++nonces;
            return new Command.RegisterBrick(id, nonce, "h:" + random.nextInt(3), 1 << 20, replaced);
        }

        private int chosenBrick;

        private int brick() {
            chosenBrick = 1 + random.nextInt(state.bricks().size() + 1);
            return chosenBrick;
        }

        /** The incarnation of the brick chosen last. */
        private long incarnation() {
            BrickInfo brick = state.brick(chosenBrick);
            return brick == null ? 1 : brick.incarnation() - (random.nextInt(20) == 0 ? 1 : 0);
        }

        private int table() {
            List<TableMap> tables = state.tables();
            return tables.isEmpty()
                    ? 1
                    : tables.get(random.nextInt(tables.size())).definition().id();
        }

        private long migration() {
            List<MigrationOrder> orders = state.migrations();
            return orders.isEmpty()
                    ? 1
                    : orders.get(random.nextInt(orders.size())).id();
        }

        private long session() {
            return 1 + random.nextInt(sessions.size() + 2);
        }
    }
}
