package io.sdds.coordinator.control.schedule;

import io.sdds.coordinator.control.base.ControlContext;
import io.sdds.coordinator.control.base.Reconciler;
import io.sdds.coordinator.control.base.Request;
import io.sdds.coordinator.control.member.BrickRegistry;
import io.sdds.coordinator.control.member.LiveBrick;
import io.sdds.coordinator.control.placement.Allocator;
import io.sdds.coordinator.control.placement.Placement.Candidate;
import io.sdds.coordinator.state.Command;
import io.sdds.coordinator.state.Result;
import io.sdds.core.control.ControlMessage.DrainBrick;
import io.sdds.core.control.ControlMessage.DrainStatus;
import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.model.BrickInfo;
import io.sdds.core.model.Parity;
import io.sdds.core.model.Place;
import io.sdds.core.model.TableDefinition;
import io.sdds.core.model.TableMap;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Begins and cancels drains of bricks, and decides whether a brick can be drained. The copies of a drained brick move
 * to other bricks by joins and leaves ({@link ReplicaReconciler}, {@link MembershipReconciler}), its partitions of one
 * copy and its columns of parity groups by moves ({@link MoveScheduler}), and its parities by joins of other processes
 * ({@link io.sdds.coordinator.control.parity.ParityRepairs}).
 */
public final class DrainController implements Reconciler {
    /** Largest fraction of a brick's memory that a drain may fill. */
    private static final double FILLED_MOST = 0.95;

    private final ControlContext our;
    private final BrickRegistry bricks;
    private final Allocator allocator;
    private boolean proposed;

    public DrainController(ControlContext our, BrickRegistry bricks, Allocator allocator) {
        this.our = our;
        this.bricks = bricks;
        this.allocator = allocator;
    }

    @Override
    public void onLeading() {
        proposed = false;
    }

    /** Begins or ends a drain, or answers its progress. */
    public void drain(Request request, DrainBrick message) {
        BrickInfo brick = our.state().brick(message.brick());
        if (brick == null) {
            request.refuse(Refusal.BAD_REQUEST, "no brick is called '" + message.brick() + "'; there are " + ids());
            return;
        }
        boolean drains = our.state().drains(brick.number());
        boolean wanted = switch (message.action()) {
            case BEGIN -> true;
            case CANCEL -> false;
            case LOOK, UNKNOWN -> drains;
        };
        String obstacle = wanted ? obstacle(brick) : "";
        if (drains == wanted || !obstacle.isEmpty()) {
            request.answer(status(brick, obstacle));
        } else if (proposed) {
            request.refuse(Refusal.NOT_READY, "another drain is beginning; try again");
        } else {
            proposed = true; // one drain at a time, because each decision needs the result of the drains before
            Command command = new Command.DrainBrick(brick.number(), brick.incarnation(), wanted);
            our.log().propose(command, result -> begun(request, brick, result));
        }
    }

    private void begun(Request request, BrickInfo brick, Result result) {
        proposed = false;
        if (result instanceof Result.Rejected rejected) {
            request.refuse(rejected);
        } else {
            request.answer(status(brick, ""));
        }
    }

    private DrainStatus status(BrickInfo brick, String obstacle) {
        int number = brick.number();
        LiveBrick live = bricks.get(number);
        long coming = our.state().learners().stream()
                        .filter(join -> join.learner().brick() == number)
                        .count()
                + our.state().splits().stream()
                        .filter(split -> isAmong(split.target(), number))
                        .count();
        return new DrainStatus(
                brick.id(),
                our.state().drains(number),
                our.state().places(number) + (int) coming,
                live == null ? 0 : live.bytes(),
                obstacle);
    }

    private String ids() {
        return our.state().bricks().stream().map(BrickInfo::id).sorted().collect(Collectors.joining(", "));
    }

    // ---- whether it can be done

    /** The reason why a brick cannot be drained now; empty if it can. */
    private String obstacle(BrickInfo brick) {
        LiveBrick live = bricks.get(brick.number());
        if (live == null || !bricks.isUp(live)) {
            return "brick " + brick.id()
                    + " is down and can hand nothing over; groups with other members get new copies without it";
        }
        List<Candidate> others = allocator.candidates().stream()
                .filter(other -> other.brick() != brick.number())
                .toList();
        if (others.isEmpty()) {
            return "brick " + brick.id()
                    + " is the last one that is up and not being drained; start another brick first";
        }
        boolean drains = our.state().drains(brick.number());
        for (TableMap table : our.state().tables()) {
            boolean isOn = isOn(table, brick.number());
            String obstacle = !drains || isOn ? obstacle(table, others.size()) : "";
            if (obstacle.isEmpty() && drains && isOn && table.definition().isConvertingToReplicas()) {
                obstacle = "table " + table.definition().name()
                        + " is being converted to replicas, and its columns move when it is";
            }
            if (!obstacle.isEmpty()) {
                return obstacle;
            }
        }
        return roomObstacle(brick, live, others);
    }

    /**
     * Whether a brick holds a partition or parity of a table, or is source or target of a migration of the table that
     * is no join.
     */
    private boolean isOn(TableMap table, int brick) {
        int id = table.definition().id();
        for (int group = 0; group < our.state().groups(id); group++) {
            if (our.state().parities(id, group).members().stream().anyMatch(member -> member.brick() == brick)) {
                return true;
            }
        }
        for (int a = 0; a < our.state().columns(id); a++) {
            if (isAmong(our.state().place(id, a), brick)) {
                return true;
            }
        }
        return our.state().migrations().stream()
                .filter(order -> !order.isLearner())
                .anyMatch(order ->
                        order.table() == id && (isAmong(order.source(), brick) || isAmong(order.target(), brick)));
    }

    private static boolean isAmong(Place place, int brick) {
        return place.members().stream().anyMatch(member -> member.brick() == brick);
    }

    /**
     * Checks that the other bricks are as many as the copies of a table, or as the members of a parity group. Before a
     * drain begins, the check also includes tables of which the brick holds nothing, because the brick may soon get
     * copies of another drained brick. After the drain has begun the brick gets no copies, so that tables of other
     * bricks are no obstacle.
     */
    private static String obstacle(TableMap table, int others) {
        String name = table.definition().name();
        int replicas = table.definition().replicas();
        Parity parity = table.definition().parity();
        int needed = bricksNeeded(table.definition());
        if (others >= needed) {
            return "";
        }
        String needs = parity.isNone()
                ? " keeps " + replicas + " copies"
                : " with parity " + parity.text() + " needs " + needed + " bricks";
        return "table " + name + needs + ", and " + others + (others == 1 ? " other brick is" : " other bricks are")
                + " up; start another brick first";
    }

    private static int bricksNeeded(TableDefinition table) {
        if (table.isConvertingToReplicas()) {
            return table.replicas() + table.parity().parities();
        }
        return table.isConvertingToParity()
                ? table.parity().bricksToConvert(table.replicas())
                : Math.max(table.replicas(), table.parity().bricks());
    }

    private String roomObstacle(BrickInfo brick, LiveBrick live, List<Candidate> others) {
        long room = 0;
        for (Candidate other : others) {
            LiveBrick host = bricks.get(other.brick());
            long used = host == null ? other.limitBytes() : host.memoryUsedBytes();
            room += Math.max(0, (long) (other.limitBytes() * FILLED_MOST) - used);
        }
        return live.bytes() <= room
                ? ""
                : "brick " + brick.id() + " holds " + live.bytes() + " bytes, and the others have room for " + room
                        + "; start another brick first";
    }
}
