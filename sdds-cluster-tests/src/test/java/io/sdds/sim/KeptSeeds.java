package io.sdds.sim;

import io.sdds.sim.plan.ClusterPlan;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Seeds that find a bug when it is put back, as plans are drawn now. docs/bugs-found.md tells the bugs that a test of
 * another kind keeps out, too. When the drawing of plans changes, other seeds find them: put the bug back and look.
 */
final class KeptSeeds {
    /** Each of its own severity. */
    static final List<Long> ANY = List.of(
            // A map update's bricks were taken for all bricks.
            1L,
            2L,
            // A brick did not register again on a new link.
            3L,
            4L,
            // A partition of another stage of the same brick was never reached.
            701L,
            887L,
            86531295818L,
            // Forwards whose deadline had passed were never answered, and their places in the client's window were
            // gone.
            927950500208L,
            // The search for an order took a wrong turn and found no way back.
            1000887477368L,
            // A child was shipped no results of a session that had ended, and had not heard yet that it had.
            591157035643L,
            // A stage without work did not tell the source of a split which map it knew, and that waited for it.
            829868294812L);

    /** With a brick that crashes. */
    static final List<Long> BRICK_CRASHES = List.of(
            // A parent was lost after HANDOVER and before its report, and the child that served was left behind.
            15L,
            // A client that had learned of a child too early never heard that the parent is lost.
            27L,
            // A watch read beyond the first piece of a slice that is longer than a frame.
            463473062264L);

    /** Of replica groups. */
    static final List<Long> REPLICATED = List.of(
            // A write forwarded for its address to a backup on the same brick was sent back for ever.
            506070941898L,
            // A joiner of a primary that was not sure yet of what it had taken over answered without that.
            690949854602L,
            // Of a member of a child's group an answer to an earlier question was taken for its word that it has all.
            459709613552L);

    /** Of replica groups whose members crash. */
    static final List<Long> REPLICATED_CRASHES = List.of(
            // A joiner to which nothing was left to be sent was never asked for its vote.
            2L,
            // A member that heard of a later epoch by a vote became a backup of it, and nobody led.
            27L,
            // A member that was cut off from the coordinator for a while was left behind by one that had been killed.
            967940256016L,
            520L,
            // A log that was cut to nothing gave its memory back, and the next entry met the place it had ended at.
            410966168106L,
            // A primary went on waiting for the answer to a dial that its joiner's last process had not lived to give.
            887099711213L);

    /** Of replica groups that shrink. */
    static final List<Long> REPLICATED_SHRINKING = List.of(
            // The child's logical time stood still for each try to switch, and what it had lived that much less at the
            // parent.
            431121468133L,
            // A member of a child's group that heard of the split's end only after another had joined dropped its copy,
            // and the others waited for its vote for ever.
            705960043764L,
            // The search for an order took a wrong turn and found no way back.
            742210320027L,
            // An old process was replaced after all other members of its group had been removed.
            790684652388L);

    /** Of replica groups that shrink while bricks crash. */
    static final List<Long> REPLICATED_SHRINKING_CRASHES = List.of(
            // A successor gave a merge up that another member, which it had not heard yet, committed later.
            271753394748L,
            // A successor shipped a joiner what it had before it took what a merge had brought, which no change tells
            // of.
            10320L);

    /** Of bricks that are drained. */
    static final List<Long> DRAINED = List.of(
            // A joiner that led could not send others what it had been shipped.
            1070562930524L,
            // The brick that was to get the drained one's copies was drained as well, as it had none yet.
            828093783447L,
            // A copy began to go to the brick that held least when the run was taken for one at rest.
            179558077945L);

    /** Of bricks that are drained while others crash. */
    static final List<Long> DRAINED_CRASHES = List.of(
            // A joiner got the results of writes that were cut off later.
            756219283162L);

    /** Of bricks with columns and parities that are drained while others crash. */
    static final List<Long> PARITY_DRAINED_ALL = List.of(
            // The source of a column's move took the move for decided when the map changed for another reason.
            9L);

    /** Of partitions of one copy that move. */
    static final List<Long> MOVING = List.of(
            // The results of a hash partition that moved stayed behind.
            349719505426L,
            // A brick got a partition that had been meant for it before its drain began, when it was said to be empty.
            2146L,
            // The last probes began before a client whose hello was damaged had heard that its session has ended.
            65167237571L);

    /** Of partitions of one copy that move while bricks and coordinators crash. */
    static final List<Long> MOVING_ALL = List.of(
            // The new brick of a move reported it as handed over and as abandoned.
            16L,
            // An old process took its name back from its successor, which a new coordinator had not heard yet.
            23L,
            // A brick that was down was started twice.
            48L,
            // No brick has memory for the partitions of a drained brick.
            968952509085L,
            // No node heard that a client which had been behind with reading was so no more.
            1060641591936L,
            // The search for an order placed two accepted losses where there was no record yet, and found no way back.
            859373663164L);

    /** Of bricks that can't reach each other. */
    static final List<Long> APART = List.of();

    /** Of replica groups on bricks with little memory. */
    static final List<Long> FILLING = List.of(
            // A group's last member gave up its copy, too, for want of memory.
            1L,
            18L,
            // A member without memory for what its group had decided could not leave, since another was joining, which
            // waited for it.
            12L);

    /** Of those on which bricks crash as well. */
    static final List<Long> FILLING_CRASHES = List.of(
            // What a group had decided none of its members had memory for, and the last one waited for some for ever.
            50087L,
            // A backup without memory was told to leave, gave its copy up, and its group went on with its primary
            // alone,
            // which had crashed before.
            1026633604697L);

    /** Of range tables of replica groups on bricks with little memory. */
    static final List<Long> FILLING_RANGE = List.of(
            // The same, before members took the memory of what they prepare.
            39L);

    /** The same of one severity. */
    static final Map<ClusterPlan.Severity, List<Long>> FILLING_RANGE_OF_SEVERITY = new TreeMap<>(Map.of(
            ClusterPlan.Severity.COORDINATOR_CRASHES,
            // The run ended while a multicast, which another brick had answered, was between two stages of a brick.
            List.of(50855L),
            ClusterPlan.Severity.BRICK_CRASHES,
            // A backup that had given its copy up was the only one left: its order to leave was void by then.
            List.of(665489030335L),
            // A client's dial to the coordinator had not failed yet when all was healed, and it did not learn in time
            // that its session had ended while it was cut off.
            ClusterPlan.Severity.HARSH,
            List.of(114L),
            ClusterPlan.Severity.ALL,
            List.of(50956L)));

    /** Of tables that shrink. */
    static final List<Long> SHRINKING = List.of(
            // A client asked the parent of a partition that was gone by its block, and was never told that its image
            // is ahead.
            194738613347L);

    /** Of range tables. */
    static final List<Long> RANGE = List.of(
            // A brick that had been paused answered late, and what nobody answers was waited for as long ever after.
            194768563818L,
            // Nothing could be sent to any brick while all were dialed, and a blank image never took spans from blocks.
            816847444149L,
            // A range query for all partitions was sent to one, whose answer no part waited for.
            820479481076L,
            // A stage without work did not tell the source of a split which map it knew, and that waited for it.
            500102033561L,
            // A stage whose client read nothing for two seconds answered what had gone to all bricks when the key was
            // its own by then; another stage of the brick had answered before: the checker took one answer a brick.
            722909601453L,
            // After an accepted loss the partition counted its versions anew, and a condition on the version of a lost
            // record held for another record.
            98261630922L);

    /** Of range tables that shrink. */
    static final List<Long> RANGE_SHRINKING = List.of(
            // A stage refused a multicast after the other had answered it: the checker took that for a second answer.
            34L,
            // A partition that was merged was handed over while its time was ahead of the other's, which leapt: what it
            // held expired too early.
            868889805284L);

    /** Of range tables of replica groups. */
    static final List<Long> REPLICATED_RANGE = List.of(
            // Other sessions had used up the budget of results, so the oldest open write of a session never ran.
            806048588550L);

    /** Of range tables of replica groups that shrink. */
    static final List<Long> REPLICATED_RANGE_SHRINKING = List.of(
            // A partition that had been merged took what went to all bricks, and so did its neighbour on the same
            // brick.
            1002L,
            // A clear that reached beyond a partition was not told where that ends, and asked the same for ever.
            390506017732L,
            // The search for an order did not see which of many open writes made a sum begin anew.
            880001146L);

    /** Of those on which bricks crash as well. */
    static final List<Long> REPLICATED_RANGE_SHRINKING_CRASHES = List.of(
            // The search for an order of a key's operations was lost among open writes that no order needs.
            812863728964L);

    /** The same with every fault there is. */
    static final List<Long> REPLICATED_RANGE_SHRINKING_ALL_FAULTS = List.of(
            // A query that wanted finds alone was sent on by the brick where it had waited, and not answered there.
            95747954797L,
            // A partition took a merge while its part of a query for all waited, and told the merged keys for looked
            // at.
            12301724094L);

    /** Of range tables of replica groups whose bricks are drained. */
    static final List<Long> DRAINED_RANGE = List.of(
            // The brick that was to get the drained one's copies was drained as well, before they were ordered.
            527053590805L,
            // The index, which has one copy, was put on an old process, which therefore was never spared.
            708570470565L);

    /** Of replica groups under three coordinators. */
    static final List<Long> QUORUM_GROUPS = List.of(
            // A coordinator whose leadership had ended proposed a change of groups again and again, until its stack
            // overflowed.
            1145L,
            // A member that was missed was ordered to leave a partition that was merging; the order outlived the merge.
            874558533051L);

    /** Of tables with parity groups. */
    static final List<Long> PARITY = List.of(
            // A primary refused puts for ever, because the last vote of a parity said that its memory was short.
            59L,
            // Requests that a stage passed on to the stage of a parity were counted twice.
            252848007474L,
            // A column was taken for filling, and lost, because the spare of another column was its process.
            630432338648L,
            // A late request began a join at a primary again, behind a gap in the log that the member had.
            284128453485L);

    /** Of tables with parity groups, with every fault there is. */
    static final List<Long> PARITY_ALL_FAULTS = List.of(
            // A parity kept the version of a write that was cut off, so its column never was as its spare had it.
            10295L,
            // A parity that a primary missed left its group while another parity was dead, so a column was lost.
            28L);

    /** Of range tables with parity groups. */
    static final List<Long> PARITY_RANGE = List.of();

    /** Of tables with parity groups that lose more members than they can lack. */
    static final List<Long> PARITY_LOST = List.of(
            // A client believed a loss that had been accepted, because nobody had answered its look-ups of the map.
            97L, 110L, 165L);

    /** The same among all other faults. */
    static final List<Long> PARITY_LOST_ALL_FAULTS = List.of();

    /** Of tables with parity groups on bricks with little memory, with every fault there is. */
    static final List<Long> PARITY_FILLING_ALL_FAULTS = List.of(
            // A spare did not know that the log of its column had the ABSORB of a merge.
            220048567681L);

    /** Of tables with parity groups that grow. */
    static final List<Long> PARITY_GROWING = List.of();

    /** The same while bricks crash. */
    static final List<Long> PARITY_GROWING_CRASHES = List.of(
            // A process that took another's place crashed, and was started twice.
            129L,
            // A table merged after the last scans, and the partitions of the clients' images were compared with those
            // after.
            118L);

    /** The same with every fault there is. */
    static final List<Long> PARITY_GROWING_ALL_FAULTS = List.of();

    /** Of range tables with parity groups that grow, with every fault there is. */
    static final List<Long> PARITY_GROWING_RANGE = List.of(
            // An idle column never moved, because it is closed.
            5618522496L,
            // Columns never dropped expired records, because a list was longer than the small credit of the members.
            909781769317L);

    private KeptSeeds() {}

    /** Tables that are converted to parity. Bricks crash. */
    static final List<Long> PARITY_CONVERTED_CRASHES = List.of();

    /** The same under all faults. */
    static final List<Long> PARITY_CONVERTED_ALL_FAULTS = List.of();

    /** The same with range tables. */
    static final List<Long> PARITY_CONVERTED_RANGE = List.of(
            // An order for a backup stayed, though a parity had joined and the epoch was another one.
            905675988994L);

    /** Tables that are converted from parity to replicas. Bricks crash. */
    static final List<Long> PARITY_TO_REPLICAS_CRASHES = List.of();

    /** The same under all faults. */
    static final List<Long> PARITY_TO_REPLICAS_ALL_FAULTS = List.of(
            // The last copy left before a CLEAR was decided, and a record that it clears was to get another rank.
            3L);

    /** Range tables, under all faults but crashes of bricks. */
    static final List<Long> PARITY_TO_REPLICAS_RANGE = List.of(
            // An idle column was on the brick that a parity needed, and could not leave it.
            178145440754L);
}
