package io.sdds.brick.node;

import io.sdds.brick.map.BrickMap;
import io.sdds.brick.map.TableView;
import io.sdds.brick.migration.Migrations;
import io.sdds.core.control.ControlMessage;
import io.sdds.core.control.ControlMessage.AcceptLoss;
import io.sdds.core.control.ControlMessage.AlterParity;
import io.sdds.core.control.ControlMessage.AlterReplicas;
import io.sdds.core.control.ControlMessage.AlterSchema;
import io.sdds.core.control.ControlMessage.Answer;
import io.sdds.core.control.ControlMessage.BlockFetched;
import io.sdds.core.control.ControlMessage.BrickRequest;
import io.sdds.core.control.ControlMessage.ClientRequest;
import io.sdds.core.control.ControlMessage.CloseSession;
import io.sdds.core.control.ControlMessage.CoordinatorRequest;
import io.sdds.core.control.ControlMessage.Coordinators;
import io.sdds.core.control.ControlMessage.CreateTable;
import io.sdds.core.control.ControlMessage.DrainBrick;
import io.sdds.core.control.ControlMessage.DropTable;
import io.sdds.core.control.ControlMessage.FetchBlock;
import io.sdds.core.control.ControlMessage.FetchStatistics;
import io.sdds.core.control.ControlMessage.FetchStatus;
import io.sdds.core.control.ControlMessage.FindCoordinators;
import io.sdds.core.control.ControlMessage.FindTable;
import io.sdds.core.control.ControlMessage.Notice;
import io.sdds.core.control.ControlMessage.OpenSession;
import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.control.ControlMessage.Refused;
import io.sdds.core.control.ControlMessage.RenewSession;
import io.sdds.core.control.ControlMessage.StoreStatistics;
import io.sdds.core.control.ControlMessage.TableFound;
import io.sdds.core.model.AddressBlock;
import io.sdds.core.node.Link;
import io.sdds.core.protocol.ProtocolViolation;
import java.util.List;

/** Answers control requests: of clients about the map, and of bricks about migrations. */
final class ControlHandler {
    private final BrickMap map;
    private final Migrations migrations;
    private final List<String> coordinators;

    ControlHandler(BrickMap map, Migrations migrations, List<String> coordinators) {
        this.map = map;
        this.migrations = migrations;
        this.coordinators = coordinators;
    }

    Answer answer(Link link, ControlMessage request) {
        return switch (request) {
            case ClientRequest ofClient -> toClient(ofClient);
            case BrickRequest ofBrick -> toBrick(link, ofBrick);
            case CoordinatorRequest ofOther -> throw new ProtocolViolation("a brick takes no request for coordinators");
            case Answer ofOther -> throw new ProtocolViolation("a brick takes no answer as a request");
            case Notice ofOther -> throw new ProtocolViolation("a brick takes no notice as a request");
        };
    }

    private Answer toClient(ClientRequest request) {
        return switch (request) {
            case FindTable find -> findTable(find);
            case FetchBlock fetch -> fetchBlock(fetch);
            case FindCoordinators find -> new Coordinators(coordinators);
            case OpenSession open -> onlyCoordinatorsKnow();
            case RenewSession renew -> onlyCoordinatorsKnow();
            case CloseSession close -> onlyCoordinatorsKnow();
            case CreateTable create -> onlyCoordinatorsKnow();
            case DropTable drop -> onlyCoordinatorsKnow();
            case AcceptLoss accept -> onlyCoordinatorsKnow();
            case AlterParity alter -> onlyCoordinatorsKnow();
            case AlterReplicas alter -> onlyCoordinatorsKnow();
            case AlterSchema alter -> onlyCoordinatorsKnow();
            case StoreStatistics store -> onlyCoordinatorsKnow();
            case FetchStatistics fetch -> onlyCoordinatorsKnow();
            case DrainBrick drain -> onlyCoordinatorsKnow();
            case FetchStatus fetch -> onlyCoordinatorsKnow();
        };
    }

    private Answer onlyCoordinatorsKnow() {
        return new Refused(Refusal.NOT_LEADER, coordinators.get(0));
    }

    private Answer toBrick(Link link, BrickRequest request) {
        if (!map.mayShip(request.migration(), link.peer())) {
            return new Refused(
                    Refusal.UNKNOWN_MIGRATION, "migration " + request.migration() + " is between other bricks");
        }
        return migrations.answer(link, request);
    }

    private Answer findTable(FindTable find) {
        TableView table = map.table(find.name());
        return table == null
                ? new Refused(Refusal.NO_SUCH_TABLE, "this brick knows no table '" + find.name() + "'")
                : new TableFound(table.toTableMap());
    }

    private Answer fetchBlock(FetchBlock fetch) {
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
