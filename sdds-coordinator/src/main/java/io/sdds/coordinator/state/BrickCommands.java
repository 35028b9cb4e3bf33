package io.sdds.coordinator.state;

import io.sdds.coordinator.state.Result.Applied;
import io.sdds.coordinator.state.Result.Rejected;
import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.model.BrickInfo;
import io.sdds.core.model.Place;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The commands that register, drain and end bricks. */
final class BrickCommands {
    private final Cluster cluster;
    private final ConversionCommands conversions;

    BrickCommands(Cluster cluster, ConversionCommands conversions) {
        this.cluster = cluster;
        this.conversions = conversions;
    }

    Result registerBrick(Command.RegisterBrick command) {
        String fault = Names.idFault(command.id());
        if (fault != null) {
            return new Rejected(Refusal.BAD_REQUEST, fault);
        }
        Brick known = cluster.bricksById.get(command.id());
        if (known == null) {
            return registerNewBrick(command);
        }
        return command.nonce() == known.nonce() ? updateBrick(known, command) : reincarnate(known, command);
    }

    private Result registerNewBrick(Command.RegisterBrick command) {
        if (cluster.bricks.size() >= StateLimits.BRICKS_MAX) {
            return new Rejected(Refusal.BAD_REQUEST, "a cluster has at most " + StateLimits.BRICKS_MAX + " bricks");
        }
        BrickInfo info = new BrickInfo(cluster.brickNext++, command.id(), 1, command.address());
        Brick brick = new Brick(info, command.nonce(), command.memoryLimitBytes(), ++cluster.version);
        cluster.bricks.put(info.number(), brick);
        cluster.bricksById.put(info.id(), brick);
        return new Result.Registered(info);
    }

    private Result updateBrick(Brick brick, Command.RegisterBrick command) {
        BrickInfo now = brick.info();
        brick.ended(false);
        if (!now.address().equals(command.address()) || brick.memoryLimitBytes() != command.memoryLimitBytes()) {
            BrickInfo info = new BrickInfo(now.number(), now.id(), now.incarnation(), command.address());
            brick.become(info, command.nonce(), command.memoryLimitBytes(), ++cluster.version);
        }
        return new Result.Registered(brick.info());
    }

    /**
     * Replaces a brick's process by a new one. The memory of the old process is lost. A parity group keeps the old
     * process as a member until {@link Command.ChangeParityGroups} decides how the group goes on. A split or merge
     * whose source is lost waits for the report of the target, which may serve already if this split was the next to
     * commit. If both are lost, the split or merge is void.
     */
    private Result reincarnate(Brick brick, Command.RegisterBrick command) {
        BrickInfo old = brick.info();
        if (command.replacedIncarnation() != old.incarnation()) {
            return new Rejected(Refusal.DUPLICATE_BRICK, "another process registered as " + old.id() + " meanwhile");
        }
        noteLosses(brick);
        long now = ++cluster.version;
        BrickInfo info = new BrickInfo(old.number(), old.id(), old.incarnation() + 1, command.address());
        brick.become(info, command.nonce(), command.memoryLimitBytes(), now);
        brick.drains(false);
        for (Table table : cluster.tables.values()) {
            if (!table.definition().hasParity()) {
                table.replace(place -> without(place, old.number()), now);
            } else if (table.definition().isConverting()) {
                conversions.changeMembers(table, withoutBackups(table, old.number()), now);
            }
            cluster.dropUndecidable(table);
            table.moves().stream()
                    .filter(move -> cluster.sourceIsGone(table, move) && cluster.targetIsGone(table, move))
                    .forEach(move -> cluster.takeBackFrom(table, move));
        }
        brick.addPlaces(placesInParityGroups(old.number()) - brick.places());
        cluster.dropVoidOrders();
        return new Result.Registered(info);
    }

    /**
     * Notes the partitions that only the replaced process holds. The process may still run, so these partitions are
     * given up only when it is known to have ended.
     */
    private void noteLosses(Brick brick) {
        for (Table table : cluster.tables.values()) {
            for (int partition = 0; partition < table.columns(); partition++) {
                Set<Place.Member> holders = Cluster.holders(table, partition);
                if (holders.size() == 1
                        && holders.iterator().next().brick() == brick.info().number()) {
                    cluster.lose(table, partition, brick.ended() ? null : brick.info());
                }
            }
        }
    }

    /** A process has ended. The end of the present process is stored. An earlier process is no longer waited for. */
    Result brickEnded(Command.BrickEnded command) {
        Brick brick = cluster.bricks.get(command.brick());
        if (brick != null && cluster.isCurrent(command.brick(), command.incarnation())) {
            brick.ended(true);
        }
        cluster.lostHolders.ended(command.brick(), command.incarnation());
        return new Applied(cluster.version);
    }

    /**
     * The place after the loss of a brick's process. The other members go on in the next epoch. Without other members
     * the partition is lost.
     */
    private Place without(Place place, int brick) {
        if (place.members().stream().noneMatch(member -> member.brick() == brick)) {
            return place;
        }
        List<Place.Member> left = place.members().stream()
                .filter(member -> member.brick() != brick)
                .toList();
        return left.isEmpty() ? Place.lost(place.epoch()) : Place.of(left, place.migration(), place.epoch() + 1);
    }

    /** The places after the loss of a brick's process of those partitions that still stand on replicas. */
    private Map<Integer, Place> withoutBackups(Table table, int brick) {
        Map<Integer, Place> places = new TreeMap<>();
        for (int partition = 0; partition < table.columns(); partition++) {
            if (!table.standsOnParity(partition)) {
                places.put(partition, without(table.place(partition), brick));
            }
        }
        return places;
    }

    /** Number of columns, their backups, and parities that the map places on a brick. */
    private int placesInParityGroups(int brick) {
        int places = 0;
        for (Table table : cluster.tables.values()) {
            for (int group = 0; group < table.groups(); group++) {
                ParityGroup members = ParityGroup.of(table, group);
                places += (int) members.columns().stream()
                        .flatMap(place -> place.members().stream())
                        .filter(member -> member.brick() == brick)
                        .count();
                places += members.hasParityOn(brick) ? 1 : 0;
            }
        }
        return places;
    }

    Result drainBrick(Command.DrainBrick command) {
        Brick brick = cluster.bricks.get(command.brick());
        if (brick == null || !cluster.isCurrent(command.brick(), command.incarnation())) {
            return Rejected.stale("the brick was started again");
        }
        brick.drains(command.drains());
        return new Applied(cluster.version);
    }
}
