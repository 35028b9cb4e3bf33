package io.sdds.brick.node;

import io.sdds.brick.map.BrickMap;
import io.sdds.brick.map.TableView;
import io.sdds.core.control.ControlMessage;
import io.sdds.core.control.ControlMessage.BlockFetched;
import io.sdds.core.control.ControlMessage.Coordinators;
import io.sdds.core.control.ControlMessage.FetchBlock;
import io.sdds.core.control.ControlMessage.FindCoordinators;
import io.sdds.core.control.ControlMessage.FindTable;
import io.sdds.core.control.ControlMessage.HandOver;
import io.sdds.core.control.ControlMessage.JoinGroup;
import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.control.ControlMessage.Refused;
import io.sdds.core.control.ControlMessage.ShipOpen;
import io.sdds.core.control.ControlMessage.ShipResume;
import io.sdds.core.control.ControlMessage.TableFound;
import io.sdds.core.model.AddressBlock;
import io.sdds.core.node.Link;
import java.util.List;

/** What a brick answers to control requests: of clients about the map, of bricks about shipping. */
final class Answers {
    private final BrickMap map;
    private final Splits splits;
    private final Joins joins;
    private final List<String> coordinators;

    Answers(BrickMap map, Splits splits, Joins joins, List<String> coordinators) {
        this.map = map;
        this.splits = splits;
        this.joins = joins;
        this.coordinators = coordinators;
    }

    /** The partition that a request is about, or -1: any stage may answer it. */
    static int isAbout(ControlMessage request) {
        return switch (request) {
            case ShipOpen open -> open.receiver();
            case HandOver handOver -> handOver.receiver();
            case JoinGroup join -> join.partition();
            case ShipResume resume -> resume.partition();
            default -> -1;
        };
    }

    /** The shipping that a request belongs to, or -1. */
    private static long streamOf(ControlMessage request) {
        return switch (request) {
            case ShipOpen open -> open.stream();
            case ShipResume resume -> resume.stream();
            case HandOver handOver -> handOver.stream();
            case JoinGroup join -> join.stream();
            default -> -1;
        };
    }

    ControlMessage to(Link link, ControlMessage request) {
        long stream = streamOf(request);
        if (stream >= 0 && !map.mayShip(stream, link.peer())) {
            return new Refused(Refusal.UNKNOWN_STREAM, "shipping " + stream + " is between other bricks");
        }
        return switch (request) {
            case FindTable find -> findTable(find);
            case FetchBlock fetch -> fetchBlock(fetch);
            case FindCoordinators find -> new Coordinators(coordinators);
            case ShipOpen open -> joins.expects(open.stream()) ? joins.onOpen(link, open) : splits.onOpen(link, open);
            case ShipResume resume -> joins.onResume(link, resume);
            case HandOver handOver -> splits.onHandOver(handOver);
            case JoinGroup join ->
                splits.ofGroups().expects(join.stream()) ? splits.ofGroups().onWhole(join) : joins.onJoinGroup(join);
            default -> new Refused(Refusal.NOT_LEADER, coordinators.get(0));
        };
    }

    private ControlMessage findTable(FindTable find) {
        TableView table = map.table(find.name());
        return table == null
                ? new Refused(Refusal.NO_SUCH_TABLE, "this brick knows no table '" + find.name() + "'")
                : new TableFound(table.toTableMap());
    }

    private ControlMessage fetchBlock(FetchBlock fetch) {
        TableView table = map.table(fetch.table());
        if (table == null) {
            return new Refused(Refusal.NO_SUCH_TABLE, "this brick knows no table " + fetch.table());
        }
        return fetch.block() < 0 || fetch.block() >= AddressBlock.BLOCKS_MAX
                ? new Refused(
                        Refusal.BAD_REQUEST,
                        "no table has a block " + fetch.block() + ": 0 to " + (AddressBlock.BLOCKS_MAX - 1))
                : new BlockFetched(table.toTableMap().asOf(map.version()), table.block(fetch.block()), map.bricks());
    }
}
