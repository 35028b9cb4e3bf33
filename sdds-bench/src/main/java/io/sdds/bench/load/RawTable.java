package io.sdds.bench.load;

import io.sdds.client.ClusterStatus;
import io.sdds.client.ClusterStatus.CoordinatorStatus;
import io.sdds.client.ClusterStatus.PartitionStatus;
import io.sdds.client.TableInfo;
import io.sdds.core.addressing.LinearHashing;
import io.sdds.core.addressing.PseudoKey;
import io.sdds.core.model.TableKind;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Places of the partitions of a hash table, for raw load. They are read once. When a partition moves or splits later,
 * the bricks forward its requests; a request that would need too many forwards fails.
 *
 * @param coordinator address of the leading coordinator
 * @param primaries address of the brick that leads each partition, by the partition's number
 */
record RawTable(int id, String coordinator, List<String> primaries) {

    /** @param status a status that lists the partitions */
    static RawTable of(ClusterStatus status, String name) {
        TableInfo found = status.tables().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new LoadException("no table " + name));
        if (found.kind() != TableKind.HASH) {
            throw new LoadException("raw load needs a hash table, and " + name + " is a range table");
        }
        int id = found.id();
        Map<String, String> addresses =
                status.bricks().stream().collect(Collectors.toMap(brick -> brick.id(), brick -> brick.address()));
        String[] primaries = new String[found.partitions()];
        for (PartitionStatus each : status.partitions()) {
            if (each.table() == id && !each.lost()) {
                primaries[each.partition()] = addresses.get(each.brick());
            }
        }
        int missing = Arrays.asList(primaries).indexOf(null);
        if (missing >= 0) {
            throw new LoadException("partition " + missing + " of table " + name + " is on no brick");
        }
        String leader = status.coordinators().stream()
                .filter(CoordinatorStatus::leads)
                .findFirst()
                .map(CoordinatorStatus::address)
                .orElseThrow(() -> new LoadException("no coordinator leads"));
        return new RawTable(id, leader, List.of(primaries));
    }

    /** Addresses of the bricks that lead partitions of the table. */
    List<String> bricks() {
        return primaries.stream().distinct().toList();
    }

    int partition(byte[] key) {
        return LinearHashing.address(PseudoKey.of(key), primaries.size());
    }
}
