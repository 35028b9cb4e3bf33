package io.sdds.coordinator.control.parity;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.coordinator.state.Command;
import io.sdds.coordinator.state.ParityGroup;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.ParityMembers;
import io.sdds.core.model.Place;
import io.sdds.core.model.Place.Member;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What holds for each parity group whose table is being converted, whatever the command. */
final class GroupLaws {
    private GroupLaws() {}

    /** No epoch rises by more than one in a command, and it rises with each change of the members. */
    static void assertEpochs(Command command, ParityGroup before, ParityGroup after) {
        boolean parities = !before.parities().present().equals(after.parities().present());
        for (int column = 0; column < before.columns().size(); column++) {
            Place was = before.columns().get(column);
            Place is = after.columns().get(column);
            boolean changes = !is.lost() && (parities || !is.members().equals(was.members()));
            assertThat(is.epoch())
                    .as("column %s of %s after %s", column, before, command)
                    .isBetween(was.epoch() + (changes ? 1 : 0), was.epoch() + 1);
        }
    }

    /** No brick has a parity and another member of its group, unless the parity leads that column. */
    static void assertBricks(Command command, ParityGroup group) {
        Set<Integer> parities = new HashSet<>();
        for (Member parity : group.parities().present()) {
            assertThat(parities.add(parity.brick())).isTrue();
        }
        group.repairs().stream()
                .filter(MigrationOrder::isParity)
                .forEach(order -> parities.add(order.target().brick()));
        for (Place column : group.columns()) {
            for (Member member : group.isDegraded(column) ? List.<Member>of() : column.members()) {
                assertThat(parities)
                        .as("data beside parity in %s after %s", group, command)
                        .doesNotContain(member.brick());
            }
        }
        assertThat(group.parities()).isNotEqualTo(new ParityMembers(List.of()));
    }
}
