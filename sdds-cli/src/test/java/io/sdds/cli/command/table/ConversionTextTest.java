package io.sdds.cli.command.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.client.TableInfo;
import io.sdds.client.TableOptions;
import io.sdds.core.model.TableKind;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the commands tell of a table that is converted from replicas to parity, or back. */
class ConversionTextTest {
    private static TableInfo table(int converted, int toConvert, String obstacle) {
        TableInfo.Health health =
                new TableInfo.Health(1, 0, 0, 2, false, 0, converted, toConvert, obstacle, 0, 0, false, 0, 0);
        TableOptions options = TableOptions.parity(4, 2);
        return new TableInfo(1, "t", TableKind.HASH, options, 12, 0, 0, 0, health);
    }

    @Test
    void aTableThatIsConvertedTellsHowManyGroupsAre() {
        TableInfo table = table(2, 1, "");
        assertThat(TableText.conversion(table)).isEqualTo("converting to parity 4,2: 2 of 3 groups");
        assertThat(TableText.protection(table)).isEqualTo("1 to parity 4,2");
        assertThat(TableText.document(table))
                .containsEntry(
                        "conversion",
                        Map.<String, Object>of(
                                "to", "parity", "groups_converted", 2, "groups_to_convert", 1, "obstacle", ""));
    }

    @Test
    void aTableThatWaitsTellsForWhat() {
        assertThat(TableText.conversion(table(0, 1, "start another brick")))
                .isEqualTo("converting to parity 4,2: 0 of 1 group; start another brick");
    }

    @Test
    void aTableThatIsNotConvertedTellsNothing() {
        TableInfo table = table(0, 0, "");
        assertThat(TableText.conversion(table)).isEmpty();
        assertThat(TableText.protection(table)).isEqualTo("parity 4,2");
        assertThat(TableText.document(table)).doesNotContainKey("conversion");
    }

    @Test
    void aTableThatIsConvertedToReplicasTellsHowManyGroupsAreAndWhatIsMissing() {
        TableInfo.Health health = new TableInfo.Health(1, 0, 0, 0, false, 0, 2, 1, "", 3, 0, true, 0, 0);
        TableInfo table = new TableInfo(1, "t", TableKind.HASH, TableOptions.parity(4, 2), 12, 0, 0, 0, health);
        assertThat(TableText.conversion(table)).isEqualTo("converting to 1 replica: 2 of 3 groups");
        assertThat(TableText.protection(table)).isEqualTo("parity 4,2 to 1");
        assertThat(TableText.lacks(health)).isEqualTo("3 copies missing");
        assertThat(TableText.document(table))
                .containsEntry("missing_copies", 3)
                .containsEntry(
                        "conversion",
                        Map.<String, Object>of(
                                "to", "replicas", "groups_converted", 2, "groups_to_convert", 1, "obstacle", ""));
    }

    @Test
    void aTableWhosePartitionsShareBricksTellsHowManyMoveApart() {
        TableInfo.Health health = new TableInfo.Health(0, 0, 0, 0, false, 0, 0, 0, "", 0, 0, false, 3, 0);
        TableInfo table = new TableInfo(1, "t", TableKind.HASH, TableOptions.parity(4, 1), 12, 0, 0, 0, health);
        assertThat(TableText.lacks(health)).isEqualTo("3 partitions to move apart");
        assertThat(TableText.crowded(table))
                .isEqualTo("3 partitions share a brick with another one of the group, to move apart while 5 bricks"
                        + " are up");
        assertThat(TableText.crowded(table(0, 0, ""))).isEmpty();
        assertThat(TableText.document(table)).containsEntry("partitions_to_separate", 3);
    }

    @Test
    void aTableWhosePartitionsRestTellsHowMany() {
        TableInfo.Health health = new TableInfo.Health(0, 0, 0, 0, false, 0, 0, 0, "", 0, 0, false, 0, 2);
        TableInfo table = new TableInfo(1, "t", TableKind.HASH, TableOptions.defaults(), 12, 0, 0, 0, health);
        assertThat(TableText.lacks(health)).isEqualTo("2 partitions rest after a change without progress");
        assertThat(TableText.resting(table)).startsWith("2 partitions rest: a split");
        assertThat(TableText.document(table)).containsEntry("partitions_resting", 2);
    }
}
