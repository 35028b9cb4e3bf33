package io.sdds.core.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;

class ParityTest {
    private static final List<Integer> COLUMNS = List.of(2, 4, 8, 16);

    @Test
    void columnsArePowersOfTwoAndParitiesAreOneToFour() {
        for (int m = -1; m <= 33; m++) {
            for (int k = -1; k <= 6; k++) {
                boolean fits = COLUMNS.contains(m) && k >= 1 && k <= 4;
                assertThat(Parity.fault(m, k) == null).as("%d,%d", m, k).isEqualTo(fits);
            }
        }
        assertThat(Parity.fault(3, 2))
                .isEqualTo("parity 3,2: M,K is expected, with M 2, 4, 8 or 16 and K 1 to 4, such as 4,2");
    }

    @Test
    void textIsReadAsItIsWritten() {
        assertThat(Parity.parse(" 8, 3 ")).isEqualTo(new Parity(8, 3));
        assertThat(Parity.parse(new Parity(16, 4).text())).isEqualTo(new Parity(16, 4));
        for (String wrong :
                List.of("", "4", "4,", ",2", "4,2,1", "3,1", "4,0", "4,5", "32,1", "four,2", "4;2", "-4,2")) {
            assertThatIllegalArgumentException()
                    .as(wrong)
                    .isThrownBy(() -> Parity.parse(wrong))
                    .withMessageContaining("'" + wrong + "' is no parity: M,K is expected");
        }
    }

    @Test
    void autoBeginsWithOneParityAndIsReadAsItIsAsked() {
        Parity auto = Parity.parse("4, auto");
        assertThat(auto).isEqualTo(Parity.auto(4)).isEqualTo(new Parity(4, 1, true));
        assertThat(auto.withParities(3).text()).isEqualTo("4,3");
        assertThat(auto.withParities(3).asked()).isEqualTo("4,auto");
        assertThat(new Parity(4, 2).asked()).isEqualTo("4,2");
        assertThatIllegalArgumentException().isThrownBy(() -> Parity.parse("3,auto"));
    }

    @Test
    void everyPartitionHasOneColumnOfOneGroupAndNoGroupCrossesABlock() {
        for (int m : COLUMNS) {
            Parity parity = new Parity(m, 1);
            for (int a = 0; a < 2 * AddressBlock.SIZE; a++) {
                assertThat(parity.group(a) * m + parity.column(a)).isEqualTo(a);
                int first = parity.group(a) * m;
                assertThat(first / AddressBlock.SIZE).isEqualTo((first + m - 1) / AddressBlock.SIZE);
            }
        }
    }

    @Test
    void hashTablesBeginWithFullGroupsAndRangeTablesAsAsked() {
        Parity parity = new Parity(4, 2);
        assertThat(parity.firstPartitions(TableKind.HASH, 1)).isEqualTo(4);
        assertThat(parity.firstPartitions(TableKind.HASH, 4)).isEqualTo(4);
        assertThat(parity.firstPartitions(TableKind.HASH, 5)).isEqualTo(8);
        assertThat(parity.firstPartitions(TableKind.HASH, 512)).isEqualTo(512);
        assertThat(parity.firstPartitions(TableKind.HASH, 0))
                .as("left for the coordinator to refuse")
                .isZero();
        assertThat(parity.firstPartitions(TableKind.RANGE, 1)).isEqualTo(1);
        assertThat(parity.groups(1)).isEqualTo(1);
        assertThat(Parity.NONE.firstPartitions(TableKind.HASH, 3)).isEqualTo(3);
        assertThat(Parity.NONE.groups(3)).isZero();
    }

    @Test
    void aTableHasParityOrCopies() {
        assertThat(new Parity(4, 2).copiesFault(1, 1)).isNull();
        assertThat(new Parity(4, 2).copiesFault(2, 1))
                .isEqualTo("parity 4,2 with 2 replicas, at least 1: a table has parity or copies, not both");
        assertThat(new Parity(4, 2).copiesFault(1, 2)).isNotNull();
        assertThat(Parity.NONE.copiesFault(3, 2)).isNull();
    }

    @Test
    void missingParitiesKeepTheirIndexes() {
        Place.Member third = new Place.Member(7, 2);
        ParityMembers members = new ParityMembers(List.of(ParityMembers.MISSING, new Place.Member(5, 1), third));
        assertThat(members.present()).containsExactly(new Place.Member(5, 1), third);
        assertThat(members.indexOf(third)).isEqualTo(2);
        assertThat(members.indexOf(ParityMembers.MISSING)).isEqualTo(-1);
        assertThat(members.indexOf(new Place.Member(7, 1)))
                .as("another process")
                .isEqualTo(-1);
        assertThat(ParityMembers.missing(2).present()).isEmpty();
        assertThat(members.firstMissing()).isZero();
        ParityMembers whole = members.with(0, new Place.Member(6, 1));
        assertThat(whole.firstMissing()).isEqualTo(-1);
        assertThat(whole.isMissing(0)).isFalse();
        assertThat(whole.with(0, ParityMembers.MISSING)).isEqualTo(members);
    }

    @Test
    void aColumnIsDegradedWhileAParityOfItsGroupLeadsIt() {
        ParityMembers parities = new ParityMembers(List.of(ParityMembers.MISSING, new Place.Member(5, 2)));
        assertThat(parities.leads(Place.of(List.of(new Place.Member(5, 2)), 0, 3)))
                .isTrue();
        assertThat(parities.leads(Place.of(List.of(new Place.Member(5, 1)), 0, 3)))
                .as("an earlier process of that brick")
                .isFalse();
        assertThat(parities.leads(Place.lost(3))).isFalse();
    }

    @Test
    void writesNeedOneParityOfSeveralUnlessSomebodyAsksForAnotherNumber() {
        assertThat(new Parity(4, 1).minParities()).isZero();
        assertThat(new Parity(4, 2).minParities()).isEqualTo(1);
        assertThat(Parity.auto(4).withParities(3).minParities()).as("follows K").isEqualTo(1);
        assertThat(Parity.NONE.minParities()).isZero();
        Parity two = new Parity(4, 2).withMinParities(2);
        assertThat(two.withParities(3).minParities()).isEqualTo(2);
        assertThat(two.fault()).isNull();
        assertThat(two.withParities(1).fault()).isEqualTo("writes with at least 2 parities of 1: 0 to 1 are allowed");
        assertThat(new Parity(4, 2).withMinParities(-2).fault()).isNotNull();
        assertThat(new Parity(4, 3).orMinOf(two).minParities()).isEqualTo(2);
        assertThat(new Parity(4, 3).withMinParities(0).orMinOf(two).minParities())
                .isZero();
    }
}
