package io.sdds.brick.map;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.core.control.ControlMessage.MapUpdate;
import io.sdds.core.model.AddressBlock;
import io.sdds.core.model.KeySpan;
import io.sdds.core.model.MigrationKind;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.Parity;
import io.sdds.core.model.ParityMembers;
import io.sdds.core.model.Place;
import io.sdds.core.model.Place.Member;
import io.sdds.core.model.TableDefinition;
import io.sdds.core.model.TableKind;
import io.sdds.core.model.TableMap;
import io.sdds.core.model.TableSpec;
import io.sdds.core.protocol.ClusterId;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BrickMapTest {
    private final BrickMap map = new BrickMap();

    @BeforeEach
    void sessionsUpTo8HaveBegunAnd5And7AreActive() {
        map.apply(
                new MapUpdate(0, 1, List.of(), List.of(), List.of(), List.of(), List.of(), 8, List.of(5L, 7L)),
                id -> {});
    }

    @Test
    void sessionsThatAreNotListedHaveEnded() {
        assertThat(map.sessionEnded(5)).isFalse();
        assertThat(map.sessionEnded(6)).isTrue();
        assertThat(map.sessionEnded(8)).as("begun since").isFalse();
    }

    @Test
    void aTableOfAKindOfALaterVersionIsNotTaken() {
        for (TableKind kind : TableKind.values()) {
            TableDefinition definition =
                    new TableDefinition(4, "t", TableSpec.of(kind).capacity(100).build());
            Place place = new Place(1, 1, 0);
            BrickMap fresh = new BrickMap();
            fresh.apply(
                    new MapUpdate(
                            0,
                            1,
                            List.of(),
                            List.of(new TableMap(definition, 1, 1)),
                            List.of(),
                            List.of(new AddressBlock(4, 0, 1, List.of(place), List.of(KeySpan.ALL))),
                            List.of(),
                            0,
                            List.of()),
                    id -> {});
            assertThat(fresh.table(4) != null).as("%s", kind).isEqualTo(kind != TableKind.UNKNOWN);
        }
    }

    /** A block changes with each of its partitions, so it may name a place that this brick has handed over since. */
    @Test
    void aPlaceOfAnEarlierEpochIsNotTaken() {
        TableDefinition definition = new TableDefinition(
                4, "t", TableSpec.of(TableKind.HASH).capacity(100).build());
        Place first = new Place(1, 1, 0);
        Place second = new Place(2, 1, 9, 2, List.of());
        Place third = new Place(3, 1, 12, 3, List.of());
        takeBlock(definition, 2, first);
        TableView table = map.table(4);
        table.moved(new MigrationOrder(9, MigrationKind.MOVE, 4, 0, 0, 0, KeySpan.ALL, first, second));
        takeBlock(definition, 3, first);
        assertThat(table.place(0)).isEqualTo(second);
        takeBlock(definition, 4, second);
        assertThat(table.place(0)).isEqualTo(second);
        takeBlock(definition, 5, third);
        assertThat(table.place(0)).isEqualTo(third);
    }

    private void takeBlock(TableDefinition definition, long version, Place place) {
        map.apply(
                new MapUpdate(
                        version - 1,
                        version,
                        List.of(),
                        List.of(new TableMap(definition, 1, version)),
                        List.of(),
                        List.of(new AddressBlock(4, 0, version, List.of(place))),
                        List.of(),
                        0,
                        List.of()),
                id -> {});
    }

    @Test
    void theMembersOfAColumnAreItsPrimaryAndTheParitiesOfItsGroup() {
        Member parity0 = new Member(5, 1);
        Member parity1 = new Member(6, 2);
        takeGroups(2, List.of(new ParityMembers(List.of(parity0, parity1)), ParityMembers.missing(2)));
        TableView table = map.table(4);
        assertThat(table.parity()).isEqualTo(new Parity(2, 2));
        assertThat(table.groupPlace(1)).isEqualTo(new Place(2, 1, 0, 1, List.of(parity0, parity1)));
        assertThat(map.members(4, 1)).containsExactly(new Member(2, 1), parity0, parity1);
        assertThat(map.members(4, 2)).as("parities are missing").containsExactly(new Member(3, 1));
        assertThat(table.parities(1)).isEqualTo(ParityMembers.missing(2));
        assertThat(table.place(1).backups())
                .as("clients do not read from parities")
                .isEmpty();
        assertThat(table.block(0).places().get(1).backups()).isEmpty();
        assertThat(table.block(0).parities()).isEmpty();
        takeGroups(3, List.of(new ParityMembers(List.of(ParityMembers.MISSING, parity1)), ParityMembers.missing(2)));
        assertThat(map.members(4, 0)).containsExactly(new Member(1, 1), parity1);
    }

    @Test
    void theParityThatLeadsADegradedColumnIsAMemberOnce() {
        Member lead = new Member(3, 1);
        Member other = new Member(6, 1);
        takeGroups(2, List.of(new ParityMembers(List.of(lead, other)), ParityMembers.missing(2)));
        map.apply(
                new MapUpdate(
                        2,
                        3,
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of(new AddressBlock(
                                4,
                                0,
                                3,
                                List.of(Place.of(List.of(lead), 0, 2)),
                                List.of(),
                                List.of(new ParityMembers(List.of(lead, other))))),
                        List.of(),
                        0,
                        List.of()),
                id -> {});
        assertThat(map.members(4, 0)).containsExactly(lead, other);
    }

    @Test
    void aColumnHasNoMembersWhileItsParitiesAreNotKnown() {
        takeGroups(2, List.of());
        assertThat(map.table(4).groupPlace(0)).isNull();
        assertThat(map.table(4).parities(0)).isNull();
        assertThat(map.members(4, 0)).isEmpty();
    }

    /** A table of two groups of two columns and two parities. The columns are on the bricks 1 to 4. */
    private void takeGroups(long version, List<ParityMembers> parities) {
        TableDefinition definition = new TableDefinition(
                4,
                "t",
                TableSpec.of(TableKind.HASH)
                        .capacity(100)
                        .firstPartitions(4)
                        .parity(new Parity(2, 2))
                        .build());
        List<Place> columns = List.of(new Place(1, 1, 0), new Place(2, 1, 0), new Place(3, 1, 0), new Place(4, 1, 0));
        map.apply(
                new MapUpdate(
                        version - 1,
                        version,
                        List.of(),
                        List.of(new TableMap(definition, 4, version)),
                        List.of(),
                        List.of(new AddressBlock(4, 0, version, columns, List.of(), parities)),
                        List.of(),
                        0,
                        List.of()),
                id -> {});
    }

    @Test
    void usesTheFeaturesThatTheCoordinatorsHaveActivated() {
        long feature = 1L << 60;
        assertThat(map.uses(feature)).isFalse();
        map.apply(
                new MapUpdate(
                        1,
                        1,
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of(),
                        0,
                        List.of(),
                        0,
                        List.of(),
                        ClusterId.UNKNOWN,
                        false,
                        feature,
                        0,
                        false),
                id -> {});
        assertThat(map.uses(feature)).isTrue();
        assertThat(map.uses(1L << 41)).isFalse();
    }

    @Test
    void sessionsFarBeyondThoseThatHaveBegunAreUnheardOf() {
        assertThat(map.sessionNotIssued(7)).isFalse();
        assertThat(map.sessionNotIssued(8)).isFalse();
        assertThat(map.sessionNotIssued(10_007)).isFalse();
        assertThat(map.sessionNotIssued(10_008)).isTrue();
        assertThat(map.sessionNotIssued(Long.MAX_VALUE)).isTrue();
        assertThat(map.sessionNotIssued(-1)).isFalse();
        assertThat(map.sessionNotIssued(Long.MIN_VALUE)).as("ended").isFalse();
    }

    /** Partition 1 of a range table with parity is an idle column, gets keys by a split, and loses them by a merge. */
    @Test
    void anIdleColumnOfARangeTableHasAPlaceAndNoKeys() {
        TableDefinition definition = new TableDefinition(
                4,
                "t",
                TableSpec.of(TableKind.RANGE)
                        .capacity(100)
                        .parity(new Parity(2, 1))
                        .build());
        List<Place> places = List.of(new Place(1, 1, 0), new Place(2, 1, 0));
        List<KeySpan> spans = List.of(KeySpan.ALL, KeySpan.EMPTY);
        List<ParityMembers> parities = List.of(new ParityMembers(List.of(new Member(3, 1))));
        AddressBlock block = new AddressBlock(4, 0, 2, places, spans, parities);
        map.apply(
                new MapUpdate(
                        1,
                        2,
                        List.of(),
                        List.of(new TableMap(definition, 2, 2)),
                        List.of(),
                        List.of(block),
                        List.of(),
                        0,
                        List.of()),
                id -> {});
        TableView table = map.table(4);
        byte[] high = {'x'};
        assertThat(table.spans().isIdle(1)).isTrue();
        assertThat(table.spans().holding(high)).isZero();
        assertThat(table.spans().holding(new byte[] {0, 1})).isZero();
        assertThat(table.spans().last()).isZero();
        assertThat(table.place(1)).isEqualTo(places.get(1));
        assertThat(table.block(0).places().get(1).none())
                .as("as clients get it")
                .isTrue();
        KeySpan moved = KeySpan.ALL.above(new byte[] {'m'});
        table.splitCommitted(
                new MigrationOrder(9, MigrationKind.SPLIT, 4, 0, 1, 0, moved, places.get(0), places.get(1)));
        assertThat(table.spans().isIdle(1)).isFalse();
        assertThat(table.spans().holding(high)).isEqualTo(1);
        assertThat(table.block(0).places()).isEqualTo(places);
        table.merged(0, 1, moved);
        assertThat(table.spans().isIdle(1)).isTrue();
        assertThat(table.spans().holding(high)).isZero();
        assertThat(table.place(1)).isEqualTo(places.get(1));
    }
}
