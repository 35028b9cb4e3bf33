package io.sdds.coordinator.control.parity;

import io.sdds.coordinator.control.base.ChangeText;
import io.sdds.coordinator.control.base.ControlContext;
import io.sdds.coordinator.control.base.Reconciler;
import io.sdds.coordinator.control.member.BrickRegistry;
import io.sdds.coordinator.control.member.FailureDetector;
import io.sdds.coordinator.control.member.LiveBrick;
import io.sdds.coordinator.control.placement.Placement.Candidate;
import io.sdds.coordinator.state.Command;
import io.sdds.coordinator.state.Command.Host;
import io.sdds.coordinator.state.ParityGroup;
import io.sdds.coordinator.state.Result;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.ParityMembers;
import io.sdds.core.model.Place;
import io.sdds.core.model.Place.Member;
import io.sdds.core.model.TableMap;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides how parity groups go on without members whose processes are gone: which parity leads a column, which parities
 * are missing, and which columns are lost. {@link ParityRepairs} then orders new processes for them.
 */
public final class ParityReconciler implements Reconciler {
    /*
     * docs/design/parity.md, rules 26 and 27. A group is judged as a whole, because any k of its members can be
     * decoded from the others: a judgement of each column alone would remove too many. A member is gone when its
     * process cannot hold a lease any more, so it answers no reads when the group goes on without it.
     *
     * While the group lacks at most k members, those that are gone are removed. As with replica groups, a quiet member
     * is not removed in favour of members that may be dead, too: then its memory might be the one that is needed. So
     * members that were not heard lately count as lacking here.
     *
     * When the group lacks more than k members, the coordinator waits for those that are only quiet. When it lacks more
     * than k by proof, because later processes of their bricks have registered, waiting is in vain: no record can be
     * decoded any more. The columns without a primary that has all records are lost, and the other ones go on with what
     * is left. Then a parity serves for nothing any more, so a quiet one is removed and blocks no writes.
     *
     * The map may be behind the memory of a process: a spare may have all records of its column, and a process that
     * joins as a parity may have joined, before the coordinator has taken the report. So nothing is lost before each of
     * them was heard with a map that shows what the group lacks. Until then the report may end the order first.
     *
     * A column that never had a record is in no sum, so no judgement counts it as lacking. A parity leads it as any
     * column, and its spare has nothing to wait for. An idle column that is lacking and can't be led begins again,
     * unless an order may still give it keys. Then all parities of the group are missing, because their sums may have
     * records that the column got by a split that was given up, or kept after a merge.
     *
     * A parity may live and yet not vote, because its brick and a primary cannot reach each other or it has no memory.
     * The primary reports that it misses the parity. Then the group goes on without the parity if it lacks few enough
     * members. That needs no order to leave, because a parity that leads no column answers no reads.
     *
     * The columns of a group that stands on replicas are judged as replica groups (FailureDetector), and this class
     * decides about its parities alone (rule 34). Backups that columns have while their table is converted from parity
     * to replicas count for nothing (rule 35).
     */
    private static final int CHANGES_MAX = 1000;

    /** Largest number of changes that are logged one by one, because a brick may hold members of many groups. */
    private static final int CHANGES_TOLD_MAX = 16;

    private static final Logger log = LoggerFactory.getLogger(ParityReconciler.class);

    private final ControlContext our;
    private final BrickRegistry bricks;
    private final FailureDetector detector;
    private final ParityRepairs repairs;
    private boolean proposed;

    /** The groups that lack more members by proof than they tolerate, with a version of the map that shows this. */
    private Map<GroupId, Long> broken = new HashMap<>();

    private record GroupId(int table, int number) {}

    public ParityReconciler(ControlContext our, BrickRegistry bricks, FailureDetector detector, ParityRepairs repairs) {
        this.our = our;
        this.bricks = bricks;
        this.detector = detector;
        this.repairs = repairs;
    }

    @Override
    public void onLeading() {
        proposed = false;
        broken = new HashMap<>();
    }

    @Override
    public void tick() {
        if (!proposed) {
            propose(changes());
        }
    }

    private List<Command.ParityGroupChange> changes() {
        List<Command.ParityGroupChange> changes = new ArrayList<>();
        Map<GroupId, Long> stillBroken = new HashMap<>();
        for (TableMap table : our.state().tables()) {
            int groups = our.state().groups(table.definition().id());
            for (int number = 0; number < groups && changes.size() < CHANGES_MAX; number++) {
                ParityGroup group = our.state().parityGroup(table.definition().id(), number);
                GroupId id = new GroupId(table.definition().id(), number);
                Long since =
                        isBroken(group) ? broken.getOrDefault(id, our.state().version()) : null;
                if (since != null) {
                    stillBroken.put(id, since);
                }
                Command.ParityGroupChange change = judge(group, since);
                if (change != null) {
                    changes.add(change);
                }
            }
        }
        broken = stillBroken;
        return changes;
    }

    private void propose(List<Command.ParityGroupChange> changes) {
        if (changes.isEmpty()) {
            return;
        }
        proposed = true;
        detector.parityGroupsChange(true);
        tell(changes);
        our.log().propose(new Command.ChangeParityGroups(changes), result -> {
            proposed = false;
            detector.parityGroupsChange(false);
            if (result instanceof Result.Applied) {
                repairs.tick(); // writes of a degraded column wait for its spare
            }
        });
    }

    private void tell(List<Command.ParityGroupChange> changes) {
        ChangeText text = new ChangeText(our.state());
        changes.stream()
                .limit(CHANGES_TOLD_MAX)
                .forEach(change ->
                        log.warn("{}", text.of(our.state().parityGroup(change.table(), change.group()), change)));
        int more = changes.size() - CHANGES_TOLD_MAX;
        if (more > 0) {
            log.warn("{} more parity {} on without members", more, more == 1 ? "group goes" : "groups go");
        }
    }

    /**
     * The next members of a group; null if the group stays as it is.
     *
     * @param brokenSince a version of the map that shows that the group {@link #isBroken}; null if it is not
     */
    private Command.@Nullable ParityGroupChange judge(ParityGroup group, @Nullable Long brokenSince) {
        if (group.standsOnReplicas()) {
            Command.ParityGroupChange renewed = renewed(group, Place::lost, false);
            return renewed == null ? withoutParitiesGone(group) : renewed;
        }
        if (brokenSince == null && group.judged().stream().noneMatch(detector::isGone)) {
            return withoutThoseMissed(group);
        }
        if (group.toDecode(process -> !detector.lives(process)) <= group.tolerated()) {
            return withoutThoseGone(group);
        }
        return brokenSince != null && haveToldSince(group, brokenSince)
                ? renewed(group, column -> group.isLacking(column, this::isReplaced), true)
                : null;
    }

    /** Whether a group lacks more members by proof than it tolerates. */
    private boolean isBroken(ParityGroup group) {
        return group.toDecode(this::isReplaced) > group.tolerated();
    }

    /**
     * Whether no process may have more of the group than the map says: each process that becomes a member was heard
     * with a version of the map, or is gone.
     */
    private boolean haveToldSince(ParityGroup group, long mapVersion) {
        return group.repairs().stream()
                .filter(order -> order.isParity() || group.isFilling(group.column(order.receiver())))
                .map(MigrationOrder::learner)
                .allMatch(process -> isReplaced(process) || bricks.hears(process, mapVersion));
    }

    private boolean isReplaced(Member process) {
        return !our.state().isCurrent(process.brick(), process.incarnation());
    }

    /**
     * A group that stands on replicas without the parities that are gone, or that a primary misses; null if there are
     * none. The replicas have all records, so no parity is needed yet, and its loss waits for nothing.
     */
    private Command.@Nullable ParityGroupChange withoutParitiesGone(ParityGroup group) {
        List<Member> columns = group.columns().stream().map(Place::primary).toList();
        ParityMembers parities = without(
                group,
                parity -> detector.isGone(parity)
                        || columns.stream().anyMatch(primary -> {
                            LiveBrick brick = bricks.get(primary.brick());
                            return brick != null && bricks.hears(primary) && brick.misses(parity.brick());
                        }));
        return parities.equals(group.parities()) ? null : change(group, columns, parities);
    }

    private Command.@Nullable ParityGroupChange withoutThoseGone(ParityGroup group) {
        ParityMembers parities = remaining(group);
        if (parities.present().isEmpty()) { // then all columns that are gone never had a record
            return renewed(group, column -> group.isLacking(column, detector::isGone), false);
        }
        List<Member> columns = new ArrayList<>();
        for (Place column : group.columns()) {
            Member primary = column.primary();
            boolean needsLead = !column.lost() && !column.none() && detector.isGone(primary);
            columns.add(needsLead ? parities.present().getFirst() : primary);
        }
        return change(group, columns, parities);
    }

    /**
     * The group without the parity that most bricks miss; null if no primary of a column misses one. All other
     * processes must have been heard since: one that is dead already may be needed more.
     */
    private Command.@Nullable ParityGroupChange withoutThoseMissed(ParityGroup group) {
        if (bricks.all().stream().noneMatch(LiveBrick::missesAny)
                || !group.judged().stream().allMatch(bricks::hears)) {
            return null;
        }
        Member most = group.parities().present().stream()
                .filter(parity -> isMissed(group, parity))
                .max(Comparator.comparingLong(this::missing))
                .orElse(null);
        if (most == null || group.lacking(most::equals) > group.tolerated() || !areHeardSinceMissed(group, most)) {
            return null;
        }
        List<Member> columns = group.columns().stream().map(Place::primary).toList();
        return change(group, columns, without(group, most::equals));
    }

    /**
     * Whether a primary misses a parity that leads no column, and no more bricks miss that primary. If more bricks miss
     * the primary, the primary is the one that cannot be reached.
     */
    private boolean isMissed(ParityGroup group, Member parity) {
        return group.columns().stream().noneMatch(place -> place.primary().equals(parity))
                && group.columns().stream().map(Place::primary).anyMatch(primary -> {
                    LiveBrick brick = bricks.get(primary.brick());
                    return brick != null && brick.misses(parity.brick()) && missing(primary) <= missing(parity);
                });
    }

    /** Whether all other processes were heard after each primary of the group that misses a parity had said so. */
    private boolean areHeardSinceMissed(ParityGroup group, Member missed) {
        List<LiveBrick> primaries = group.columns().stream()
                .map(place -> bricks.get(place.brick()))
                .filter(primary -> primary != null && primary.misses(missed.brick()))
                .toList();
        return group.judged().stream()
                .filter(process -> process.brick() != missed.brick())
                .map(process -> bricks.get(process.brick()))
                .allMatch(heard -> heard != null
                        && primaries.stream().allMatch(primary -> primary.missedBeforeHeard(missed.brick(), heard)));
    }

    /** Number of bricks that miss a process. */
    private long missing(Member process) {
        return bricks.all().stream()
                .filter(brick -> bricks.isUp(brick) && brick.misses(process.brick()))
                .count();
    }

    /**
     * The group without its parities that are gone. The idle columns that are lacking begin again; then all parities
     * are missing.
     *
     * @param loses whether the other columns that are lacking are lost; else they stay
     * @return null if nothing changes, or if a column cannot begin again for want of a brick and would stay
     */
    private Command.@Nullable ParityGroupChange renewed(ParityGroup group, Predicate<Place> isLacking, boolean loses) {
        Spares spares = repairs.spares();
        Set<Integer> chosen = new TreeSet<>();
        List<Member> columns = new ArrayList<>();
        boolean renews = false;
        for (int k = 0; k < group.columns().size(); k++) {
            Place column = group.columns().get(k);
            boolean lacks = isLacking.test(column);
            boolean begins = lacks && group.mayBeginAgain(group.first() + k);
            Candidate host = begins ? spares.forEmptyColumn(group, column, chosen) : null;
            if (host != null) {
                chosen.add(host.brick());
                columns.add(new Member(host.brick(), host.incarnation()));
            } else if (begins && !loses) {
                return null;
            } else {
                columns.add(lacks && loses ? ParityMembers.MISSING : column.primary());
            }
            renews |= host != null;
        }
        ParityMembers parities = renews ? without(group, parity -> true) : remaining(group);
        List<Member> before = group.columns().stream().map(Place::primary).toList();
        return columns.equals(before) && parities.equals(group.parities()) ? null : change(group, columns, parities);
    }

    /** The parities of a group whose processes are not gone. */
    private ParityMembers remaining(ParityGroup group) {
        return without(group, detector::isGone);
    }

    private static ParityMembers without(ParityGroup group, Predicate<Member> leaves) {
        List<Member> left = group.parities().members().stream()
                .map(member -> leaves.test(member) ? ParityMembers.MISSING : member)
                .toList();
        return new ParityMembers(left, group.parities().inForce());
    }

    private static Command.ParityGroupChange change(ParityGroup group, List<Member> columns, ParityMembers parities) {
        return new Command.ParityGroupChange(
                group.table().id(), group.number(), group.epochs(), hosts(columns), hosts(parities.members()));
    }

    private static List<Host> hosts(List<Member> members) {
        return members.stream()
                .map(member -> new Host(member.brick(), member.incarnation()))
                .toList();
    }
}
