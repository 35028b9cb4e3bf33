package io.sdds.coordinator.control.request;

import io.sdds.coordinator.control.base.ControlContext;
import io.sdds.coordinator.control.member.FailureDetector;
import io.sdds.coordinator.control.migration.StalledOrders;
import io.sdds.coordinator.control.parity.ParityAlterations;
import io.sdds.coordinator.control.parity.ParityRepairs;
import io.sdds.coordinator.control.parity.TableConversions;
import io.sdds.coordinator.state.ParityGroup;
import io.sdds.core.control.ControlMessage.TableHealth;
import io.sdds.core.model.ParityMembers;
import io.sdds.core.model.Place;
import io.sdds.core.model.Place.Member;
import io.sdds.core.model.TableMap;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** Tells for the status how many more bricks each table can lose, and what its parity groups lack. */
public final class TableHealths {
    private final ControlContext our;
    private final FailureDetector detector;
    private final ParityRepairs repairs;
    private final ParityAlterations alterations;
    private final ReplicaAlterations replicas;
    private final TableConversions conversions;
    private final StalledOrders stalled;

    public TableHealths(
            ControlContext our,
            FailureDetector detector,
            ParityRepairs repairs,
            ParityAlterations alterations,
            ReplicaAlterations replicas,
            TableConversions conversions,
            StalledOrders stalled) {
        this.stalled = stalled;
        this.replicas = replicas;
        this.conversions = conversions;
        this.our = our;
        this.detector = detector;
        this.repairs = repairs;
        this.alterations = alterations;
    }

    TableHealth of(TableMap table) {
        return table.definition().hasParity() ? ofParityGroups(table) : ofReplicaGroups(table);
    }

    /** Without the loss of a partition, the smallest group can lose all its living members but one. */
    private TableHealth ofReplicaGroups(TableMap table) {
        long fewest = table.definition().replicas();
        for (int a = 0; a < table.partitions(); a++) {
            Place place = our.state().place(table.definition().id(), a);
            if (!place.none()) {
                fewest = Math.min(fewest, living(place));
            }
        }
        int missing = missingCopies(table);
        return new TableHealth(
                (int) Math.max(0, fewest - 1),
                0,
                0,
                0,
                false,
                0,
                0,
                0,
                missing == 0 ? "" : replicas.obstacle(table.definition().replicas()),
                missing,
                extraCopies(table),
                0,
                stalled.resting(table.definition().id()));
    }

    private int missingCopies(TableMap table) {
        return differences(table).filter(difference -> difference > 0).sum();
    }

    private int extraCopies(TableMap table) {
        return -differences(table).filter(difference -> difference < 0).sum();
    }

    /**
     * For each partition of a table, unless it is lost: the number of copies that it lacks; negative if it has too
     * many.
     */
    private IntStream differences(TableMap table) {
        int id = table.definition().id();
        return IntStream.range(0, table.partitions())
                .filter(partition -> our.state().exists(id, partition))
                .mapToObj(partition -> our.state().place(id, partition))
                .filter(place -> !place.lost())
                .mapToInt(
                        place -> table.definition().replicas() - place.members().size());
    }

    private long living(Place place) {
        return place.members().stream()
                .filter(member -> !detector.isGone(member))
                .count();
    }

    /** The number of bricks that a group which stands on replicas can lose. */
    private int canLoseCopies(ParityGroup group) {
        long fewest = group.columns().stream()
                .filter(place -> !place.none())
                .mapToLong(this::living)
                .min()
                .orElse(Integer.MAX_VALUE);
        return (int) Math.max(0, Math.min(fewest, group.table().replicas()) - 1);
    }

    private TableHealth ofParityGroups(TableMap table) {
        int id = table.definition().id();
        int canLose = Integer.MAX_VALUE;
        int toConvert = conversions.groupsToConvert(table);
        boolean isToReplicas = table.definition().isConvertingToReplicas();
        int degraded = 0;
        int filling = 0;
        int missing = 0;
        int toSeparate = 0;
        for (int number = 0; number < our.state().groups(id); number++) {
            ParityGroup group = our.state().parityGroup(id, number);
            canLose = Math.min(canLose, group.standsOnReplicas() ? canLoseCopies(group) : canLose(group));
            degraded += (int) group.columns().stream().filter(group::isDegraded).count();
            filling += (int) group.columns().stream().filter(group::isFilling).count();
            toSeparate += group.standsOnReplicas() ? 0 : group.columnsToSeparate();
            missing += group.standsOnReplicas() && isToReplicas
                    ? 0
                    : Collections.frequency(group.parities().members(), ParityMembers.MISSING);
        }
        return new TableHealth(
                canLose,
                degraded,
                filling,
                missing,
                repairs.lacksSpare(id),
                isToReplicas ? 0 : alterations.bricksToRaise(table),
                table.definition().isConverting() ? our.state().groups(id) - toConvert : 0,
                toConvert,
                conversions.obstacle(table),
                isToReplicas ? missingCopies(table) : 0,
                0,
                toSeparate,
                stalled.resting(id));
    }

    /**
     * The number of bricks that a group can lose, whichever they are. Each of them takes one member from the group,
     * unless columns share a brick, because too few bricks were up.
     */
    private int canLose(ParityGroup group) {
        TreeMap<Integer, Integer> members = new TreeMap<>();
        for (Place column : group.columns()) {
            if (!column.none() && !group.isLacking(column, detector::isGone)) {
                members.merge(column.brick(), 1, Integer::sum);
            }
        }
        for (Member parity : group.parities().present()) {
            if (!detector.isGone(parity)) {
                members.merge(parity.brick(), 1, Integer::sum);
            }
        }
        List<Integer> largestFirst = new ArrayList<>(members.values());
        largestFirst.sort(Collections.reverseOrder());
        int left = group.tolerated() - group.lacking(detector::isGone);
        int bricks = 0;
        while (bricks < largestFirst.size() && largestFirst.get(bricks) <= left) {
            left -= largestFirst.get(bricks++);
        }
        return bricks;
    }
}
