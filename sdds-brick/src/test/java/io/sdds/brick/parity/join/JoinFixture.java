package io.sdds.brick.parity.join;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.brick.group.Group;
import io.sdds.brick.group.StageBrick;
import io.sdds.brick.group.StageCluster;
import io.sdds.brick.parity.member.Column;
import io.sdds.brick.parity.member.ParityPartition;
import io.sdds.brick.partition.Results;
import io.sdds.core.control.ControlMessage.MigrationState;
import io.sdds.core.model.MigrationKind;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.Parity;
import io.sdds.core.model.ParityMembers;
import io.sdds.core.model.Place;
import io.sdds.core.model.TableDefinition;
import io.sdds.core.model.TableKind;
import io.sdds.core.model.TableSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * One parity group of real members: the primaries of two columns on the bricks 0 and 1, parity 0 on brick 2, and brick
 * 3, which joins as parity 1, or in the place of parity 0.
 */
final class JoinFixture extends StageCluster<StageBrick> {
    static final int COLUMNS = 2;
    static final int JOINER = 3;
    static final long ORDER = 40;
    private static final int PARITY_INDEX = 1;
    private static final int REPLACED_INDEX = 0;

    /** The brick of parity 0, which leads the columns whose primaries are gone. */
    static final int LEAD = 2;

    private static final Parity PARITY = new Parity(COLUMNS, 2);
    private static final TableDefinition DEFINITION = new TableDefinition(
            TABLE,
            "t",
            TableSpec.of(TableKind.HASH)
                    .capacity(100)
                    .firstPartitions(COLUMNS)
                    .parity(PARITY)
                    .build());

    private long epoch = 1;
    private boolean ordered;
    private boolean joined;
    private boolean replaces;
    private int recovered = -1;
    private int lost = -1;

    JoinFixture(long joinerBytes) {
        this(joinerBytes, 64 << 20);
    }

    JoinFixture(long joinerBytes, long memberBytes) {
        for (int number = 0; number <= JOINER; number++) {
            int column = number < COLUMNS ? number : -1;
            bricks.add(new StageBrick(world, number, JOINER + 1, column, number == JOINER ? joinerBytes : memberBytes));
        }
        takeMap();
        pump();
    }

    // ---- the map

    private void takeMap() {
        ParityMembers present = new ParityMembers(List.of(member(LEAD), ParityMembers.MISSING));
        ParityMembers parities = joined ? present.with(index(), member(JOINER)) : present;
        List<Place> places = List.of(place(0), place(1));
        takeMap(DEFINITION, places, List.of(), List.of(parities), orders(places));
    }

    private Place place(int column) {
        return Place.of(List.of(member(column == lost ? LEAD : column)), 0, epoch);
    }

    private List<MigrationOrder> orders(List<Place> places) {
        List<MigrationOrder> orders = new ArrayList<>();
        if (ordered) {
            Place target = Place.of(List.of(member(JOINER)), ORDER, 1);
            orders.add(order(ORDER, MigrationKind.PARITY, 0, index(), places.get(0), target));
        }
        if (recovered >= 0) {
            Place lead = Place.of(List.of(member(LEAD)), 0, epoch);
            orders.add(order(ORDER - 1, MigrationKind.RECOVERY, recovered, 0, lead, places.get(recovered)));
        }
        return orders;
    }

    /** The coordinators order the join. */
    void order() {
        ordered = true;
        takeMap();
    }

    /** The coordinators order the join in the place of the parity that is present. */
    void orderReplacement() {
        replaces = true;
        order();
    }

    private int index() {
        return replaces ? REPLACED_INDEX : PARITY_INDEX;
    }

    /** The coordinators drop the order. */
    void dropOrder() {
        ordered = false;
        takeMap();
    }

    /** Has a column move records into the holes of its ranks; returns whether it has proposed an entry. */
    boolean densify(int column) {
        boolean proposed = group(column).densify();
        bricks.get(column).endTurn();
        return proposed;
    }

    /** Has a column drop records that it does not own; returns whether it has proposed an entry. */
    boolean dropUnowned(int column) {
        boolean proposed = group(column).dropUnowned(1000);
        bricks.get(column).endTurn();
        return proposed;
    }

    /** The primary of a column is gone: parity 0 leads the column. */
    void lose(int column) {
        bricks.get(column).hangs = true;
        lost = column;
        raiseEpochs();
    }

    /** All columns get another epoch. */
    void raiseEpochs() {
        epoch++;
        takeMap();
    }

    /** A column is filling, by an order in the map; none is with a negative number. */
    void recover(int column) {
        recovered = column;
        takeMap();
    }

    /** The coordinators name the joined member in the map. */
    void commitJoin() {
        ordered = false;
        joined = true;
        epoch++;
        takeMap();
    }

    // ---- what is reported, and the state

    StageBrick joiner() {
        return bricks.get(JOINER);
    }

    @Nullable
    MigrationState reported() {
        return reported(joiner());
    }

    void runUntilReported(MigrationState state) {
        runUntilReported(joiner(), state);
    }

    /** Delivers bytes until the joining member has copied a part of the records. */
    void copyAPart() {
        tick();
        while (copied() == 0) {
            assertThat(deliver(0)).isTrue();
        }
    }

    /** A rank above all that the joining member has copied. */
    int copied() {
        ParityJoin join = joiner().parity.joins().join(ORDER);
        ParityPartition here = join == null ? null : join.partition();
        return here == null ? 0 : here.records().top();
    }

    Group group(int column) {
        return bricks.get(column).partition.group();
    }

    /** Whether the primary of a column counts the joining member's votes. */
    boolean counts(int column) {
        return group(column).replication().leader().hasVotingLearner();
    }

    /** Compares the parity member of a brick with the columns. All entries are committed everywhere. */
    void check(int brick, Object context) {
        checkRecords(brick, context);
        ParityPartition parity = parity(brick);
        for (int c = 0; c < COLUMNS; c++) {
            StageBrick column = bricks.get(c);
            assertThat(parity.columns().get(c).committed())
                    .as("%s: column %d on brick %d", context, c, brick)
                    .isEqualTo(group(c).last());
            Column copy = parity.columns().get(c);
            Map<Long, Long> lows = lows(column.partition.results());
            assertThat(results(copy.results(), lows))
                    .as("%s", context)
                    .isEqualTo(results(column.partition.results(), lows));
            assertThat(copy.version()).as("%s", context).isEqualTo(column.partition.version());
        }
    }

    /** Compares the parity records of a brick with the records of the columns. */
    void checkRecords(int brick, Object context) {
        checkRecords(brick, bricks.subList(0, COLUMNS), context);
    }

    /** The low of each session. A request that was refused may have raised a low at the primary, and nowhere else. */
    private static Map<Long, Long> lows(Results results) {
        Map<Long, Long> lows = new TreeMap<>();
        results.forEach((session, seq, low, hash, status, value) -> lows.put(session, low));
        return lows;
    }

    private static Set<String> results(Results results, Map<Long, Long> lows) {
        Set<String> open = new TreeSet<>();
        results.forEach((session, seq, low, hash, status, value) -> {
            if (seq != 0 && seq >= lows.getOrDefault(session, 0L)) {
                open.add(session + " " + seq + " " + hash + " " + status + " " + value);
            }
        });
        return open;
    }
}
