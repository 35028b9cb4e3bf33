package io.sdds.coordinator.control.parity;

import io.sdds.coordinator.control.ParityCluster;
import io.sdds.coordinator.state.ParityGroup;
import io.sdds.core.control.ControlMessage.MigrationState;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.Parity;
import io.sdds.core.model.Place.Member;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Bricks that die, hang, come back and answer orders by chance, and leaders that change, while a table is converted.
 */
final class ChanceFaults {
    private static final int STEPS = 400;

    /** Heartbeats until the table is converted at the end. */
    private static final int PATIENCE = 400;

    /** Heartbeats within which the coordinators may take a process that has died for one that runs. */
    private static final int UNNOTICED = 3;

    private final ParityCluster made;
    private int step;

    /** The step in which each dead process died. */
    private final Map<Member, Integer> diedAt = new HashMap<>();

    ChanceFaults(ParityCluster made) {
        this.made = made;
    }

    /** Whether a process runs, or died so lately that the coordinators need not know it. */
    boolean counts(Member member) {
        return step - diedAt.getOrDefault(member, step) <= UNNOTICED;
    }

    void disturb(SplittableRandom random) {
        Map<Long, SplittableRandom> fates = new HashMap<>();
        made.answers(order -> answer(order, fates.computeIfAbsent(order.id(), id -> random.split())));
        int joinPace = random.nextInt(1, 20);
        made.answersJoins(order -> random.nextInt(joinPace) == 0
                ? drawn(fates.computeIfAbsent(order.id(), id -> random.split()))
                : MigrationState.SHIPPING);
        Set<List<Long>> ranked = new HashSet<>();
        int pace = random.nextInt(5, 80);
        made.ranks(partition -> {
            List<Long> place = List.of((long) partition, made.column(partition).epoch());
            if (random.nextInt(pace) == 0) {
                ranked.add(place);
            }
            return ranked.contains(place);
        });
        int deaths = random.nextInt(0, 4);
        for (step = 0; step < STEPS; step++) {
            disturbOnce(random, deaths);
            made.beat(1);
            if (step % 50 == 49 && random.nextBoolean()) {
                made.acceptLoss();
            }
        }
    }

    private void disturbOnce(SplittableRandom random, int deaths) {
        int brick = random.nextInt(1, made.bricks.size() + 1);
        boolean isDead = made.isDead(made.brick(brick));
        int what = random.nextInt(100);
        if (what < deaths && !isDead) {
            diedAt.put(ParityCluster.process(made.brick(brick)), step);
            made.kill(brick);
        } else if (what < deaths + 2 && !isDead) {
            made.hanging.add(brick);
        } else if (what < 20) {
            made.goOn(brick);
        } else if (what < 30 && isDead) {
            made.restart(brick);
        } else if (what == 99) {
            made.leaderChanges();
        }
    }

    private static MigrationState drawn(SplittableRandom fate) {
        return switch (fate.nextInt(10)) {
            case 0 -> MigrationState.ABANDONED;
            case 1, 2, 3, 4 -> MigrationState.HANDED_OVER;
            default -> MigrationState.SHIPPING;
        };
    }

    /** A repair of a group that stands on parity is answered as bricks would. */
    private MigrationState answer(MigrationOrder order, SplittableRandom fate) {
        if (!order.isRepair()) {
            return drawn(fate);
        }
        ParityGroup group = groupOf(order.sender());
        boolean isFilling = order.isRecovery() && group.isFilling(made.column(order.receiver()));
        boolean canDecode = group.toDecode(made.killed::contains) <= group.tolerated();
        MigrationState state = drawn(fate);
        if (state == MigrationState.ABANDONED || !order.isRecovery() || canDecode) {
            return isFilling && state == MigrationState.HANDED_OVER ? MigrationState.FILLED : state;
        }
        return MigrationState.SHIPPING;
    }

    private ParityGroup groupOf(int partition) {
        Parity parity = made.state().table(ParityCluster.TABLE).definition().parity();
        return made.group(parity.group(partition));
    }

    /** Everything is up again, and losses are accepted. */
    void calm() {
        made.answerAtOnce();
        made.answersJoins(order -> MigrationState.HANDED_OVER);
        made.ranks(partition -> true);
        for (int k = 0; k < PATIENCE; k++) {
            step++;
            for (int brick = 1; brick <= made.bricks.size(); brick++) {
                made.goOn(brick);
                if (made.isDead(made.brick(brick))) {
                    made.restart(brick);
                }
            }
            made.beat(1);
            if (k % 50 == 49 && made.state().lostPartitions(ParityCluster.TABLE) > 0) {
                made.acceptLoss();
            }
        }
    }
}
