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
 * What raw load has to know of a hash table: where its partitions are. Requests for one that moves or splits meanwhile
 * are forwarded, or fail when it is too far.
 *
 * @param coordinator the leading one's address
 * @param primaries by partition, the address of the brick that leads it
 */
record RawTable(int id, String coordinator, List<String> primaries) {

    /** @param status with partitions */
    static RawTable of(ClusterStatus status, String name) {
        TableInfo found = status.tables().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new LoadException("no table " + name));
        if (found.kind() != TableKind.HASH) {
            throw new LoadException("raw load is of hash tables, and " + name + " is a range table");
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

    /** The bricks that lead partitions of it. */
    List<String> bricks() {
        return primaries.stream().distinct().toList();
    }

    int partition(byte[] key) {
        return LinearHashing.address(PseudoKey.of(key), primaries.size());
    }
}
