package io.sdds.sim.plan;

import io.sdds.sim.world.SimEnv;
import io.sdds.sim.world.SimNetwork;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** The faults of a run with their times, drawn from the seed. */
public record FaultPlan(List<Fault> faults) {
    private static final long MILLI = 1_000_000L;
    private static final long MEMORY_LEFT_BYTES_MAX = 64 << 10;

    /** Losses that are not detected within this time are never detected. */
    private static final long HEARD_NANOS_MAX = 9_500 * MILLI;

    private static final int CRASHES_MAX = 6;
    private static final int ALTERATIONS_MAX = 4;
    private static final int LOST_GROUPS_MAX = 3;
    private static final int GROUPS_MAX = 12;
    private static final long CRASHING_NANOS_MAX = 2_000 * MILLI;
    private static final long TOGETHER_NANOS = 20 * MILLI;

    /** Longer than two bricks take to fall silent, one after the other. */
    private static final long AWAY_IN_TURN_NANOS_MIN = 2_000 * MILLI;

    private static final long AWAY_IN_TURN_NANOS_MAX = 12_000 * MILLI;
    private static final int FLIPS_MAX = 20;
    private static final int STRANGERS_MAX = 5;
    private static final int MESSAGES_MAX = 200;

    public static final FaultPlan NONE = new FaultPlan(List.of());

    public FaultPlan {
        faults = List.copyOf(faults);
    }

    /** The nodes that each kind of fault may hit. */
    public record Victims(List<String> bricks, List<String> coordinators, List<String> clients) {
        public Victims {
            bricks = List.copyOf(bricks);
            coordinators = List.copyOf(coordinators);
            clients = List.copyOf(clients);
        }

        private String any(RandomGenerator random) {
            List<String> all = new ArrayList<>(bricks);
            all.addAll(bricks); // bricks send the most messages
            all.addAll(coordinators);
            all.addAll(clients);
            return all.get(random.nextInt(all.size()));
        }

        /** Draws some nodes, but not all. */
        private List<String> side(RandomGenerator random) {
            List<String> all = new ArrayList<>(bricks);
            all.addAll(coordinators);
            all.addAll(clients);
            List<String> side = new ArrayList<>();
            for (int k = random.nextBoolean() ? 1 : random.nextInt(1, all.size()); k > 0; k--) {
                side.add(all.remove(random.nextInt(all.size())));
            }
            return side;
        }

        private String client(RandomGenerator random) {
            return clients.get(random.nextInt(clients.size()));
        }

        private String server(RandomGenerator random) {
            int k = random.nextInt(bricks.size() + coordinators.size());
            return k < bricks.size() ? bricks.get(k) : coordinators.get(k - bricks.size());
        }
    }

    /**
     * Draws some faults within a time.
     *
     * @param coordinatorCrashes whether coordinators may crash; they come back with their log
     * @param brickCrashes whether bricks may crash; what only they held is lost
     */
    public static FaultPlan draw(
            RandomGenerator random,
            Victims victims,
            long withinNanos,
            boolean coordinatorCrashes,
            boolean brickCrashes) {
        int slow = random.nextInt(6);
        int clogs = random.nextInt(4);
        int losses = random.nextInt(3) == 0 ? random.nextInt(120) : random.nextInt(12);
        int pauses = random.nextInt(5);
        int strains = random.nextInt(3);
        FaultPlan plan = NONE.and(
                        slow,
                        () -> new Fault.Slow(
                                random.nextLong(withinNanos),
                                victims.any(random),
                                victims.any(random),
                                random.nextLong(MILLI, 300 * MILLI),
                                length(random)))
                .and(
                        clogs,
                        () -> new Fault.Clog(
                                random.nextLong(withinNanos),
                                victims.any(random),
                                victims.server(random),
                                length(random)))
                .and(losses, () -> {
                    long refused = random.nextInt(6) == 0 ? length(random) : 0;
                    String one = random.nextBoolean() ? victims.any(random) : victims.client(random);
                    return new Fault.Lose(random.nextLong(withinNanos), one, victims.server(random), refused);
                })
                .and(pauses, () -> new Fault.Pause(random.nextLong(withinNanos), victims.any(random), length(random)))
                .and(
                        strains,
                        () -> new Fault.Strain(
                                random.nextLong(withinNanos),
                                victims.server(random),
                                random.nextInt(5, 200),
                                length(random)));
        if (coordinatorCrashes) {
            plan = plan.and(random.nextInt(3), () -> crash(random, victims.coordinators, withinNanos));
        }
        return brickCrashes ? plan.and(1, () -> crash(random, victims.bricks, withinNanos)) : plan;
    }

    private static Fault crash(RandomGenerator random, List<String> nodes, long withinNanos) {
        String victim = nodes.get(random.nextInt(nodes.size()));
        return new Fault.Crash(random.nextLong(withinNanos), victim, length(random));
    }

    /** These faults, and so many more that are drawn one after the other. */
    private FaultPlan and(int count, Supplier<Fault> draw) {
        List<Fault> all = new ArrayList<>(faults);
        for (int k = count; k > 0; k--) {
            all.add(draw.get());
        }
        return sorted(all);
    }

    private static FaultPlan sorted(List<Fault> faults) {
        faults.sort(Comparator.comparingLong(Fault::atNanos));
        return new FaultPlan(faults);
    }

    /**
     * These faults, and some of the harsher kinds within a time: partitions, half-open connections, wrong clocks, short
     * memory, crashed clients.
     */
    public FaultPlan andHarsher(RandomGenerator random, Victims victims, long withinNanos) {
        FaultPlan plan = and(
                        random.nextInt(3),
                        () -> new Fault.Partition(
                                random.nextLong(withinNanos),
                                victims.side(random),
                                random.nextBoolean(),
                                length(random)))
                .and(random.nextInt(3), () -> {
                    String one = random.nextBoolean() ? victims.any(random) : victims.client(random);
                    long atNanos = random.nextLong(withinNanos);
                    String other = victims.server(random);
                    long unheardNanos = random.nextLong(100 * MILLI, 10_000 * MILLI);
                    boolean heard = unheardNanos < HEARD_NANOS_MAX;
                    return new Fault.Vanish(atNanos, one, other, heard ? unheardNanos : SimNetwork.NEVER_HEARD);
                });
        if (random.nextBoolean()) {
            plan = plan.and(random.nextInt(1, 4), () -> {
                long most = random.nextBoolean() ? SimEnv.DRIFT_PPM_MAX : SimEnv.DRIFT_PPM_MAX / 20;
                return new Fault.Drift(
                        random.nextLong(withinNanos), victims.any(random), random.nextLong(-most, most + 1));
            });
        }
        plan = plan.and(
                random.nextInt(3),
                () -> new Fault.Jump(random.nextLong(withinNanos), victims.any(random), length(random)));
        if (random.nextInt(3) == 0) {
            plan = plan.andSqueezes(random, victims.bricks, withinNanos);
        }
        return plan.and(
                random.nextInt(4) - 1,
                () -> new Fault.Crash(random.nextLong(withinNanos), victims.client(random), length(random)));
    }

    /** These faults, and a client that stops reading for so long that bricks close its connections. */
    FaultPlan andAStall(RandomGenerator random, List<String> clients, long withinNanos) {
        String client = clients.get(random.nextInt(clients.size()));
        return and(
                1,
                () -> new Fault.Stall(
                        random.nextLong(withinNanos), client, random.nextLong(15_000 * MILLI, 25_000 * MILLI)));
    }

    /** These faults, and flipped bits between two nodes within a time. */
    FaultPlan andFlips(RandomGenerator random, Victims victims, long withinNanos) {
        return and(random.nextInt(1, FLIPS_MAX), () -> {
            String one = random.nextBoolean() ? victims.any(random) : victims.client(random);
            String server = victims.server(random);
            boolean towards = random.nextBoolean();
            return new Fault.Flip(random.nextLong(withinNanos), towards ? one : server, towards ? server : one);
        });
    }

    /** These faults, and strangers that come within a time. */
    FaultPlan andStrangers(RandomGenerator random, Victims victims, long withinNanos) {
        return and(
                random.nextInt(1, STRANGERS_MAX),
                () -> new Fault.Stranger(
                        random.nextLong(withinNanos), victims.server(random), random.nextInt(1, MESSAGES_MAX)));
    }

    /** These faults, and elections of other coordinators within a time. */
    FaultPlan andElections(RandomGenerator random, long withinNanos) {
        return and(random.nextInt(8), () -> {
            long stale = random.nextInt(3) == 0 ? random.nextLong(600 * MILLI) : random.nextLong(50 * MILLI);
            return new Fault.Elect(random.nextLong(withinNanos), stale);
        });
    }

    /** These faults, and some bricks drained within a time. */
    FaultPlan andDrains(RandomGenerator random, List<String> bricks, long withinNanos) {
        return and(
                random.nextInt(1, 4),
                () -> new Fault.Drain(
                        random.nextLong(withinNanos),
                        bricks.get(random.nextInt(bricks.size())),
                        length(random),
                        random.nextInt(4) == 0 ? length(random) : Fault.Drain.NEVER));
    }

    /**
     * These faults, and some changes of the number of parities within a time.
     *
     * @param most largest number of parities
     */
    FaultPlan andAlterations(RandomGenerator random, int most, long withinNanos) {
        return and(
                random.nextInt(1, ALTERATIONS_MAX),
                () -> new Fault.Alter(random.nextLong(withinNanos), random.nextInt(1, most + 1)));
    }

    /** These faults, and nobody alters the table. */
    FaultPlan withoutAlterations() {
        return new FaultPlan(
                faults.stream().filter(fault -> !(fault instanceof Fault.Alter)).toList());
    }

    /**
     * These faults, and parity groups that lose too many members within a time; nobody alters the table beside that,
     * because an operator would wait until the loss is accepted.
     */
    FaultPlan andLostGroups(RandomGenerator random, long withinNanos) {
        return withoutAlterations().and(random.nextInt(1, LOST_GROUPS_MAX), () -> {
            long crashing = random.nextBoolean() ? TOGETHER_NANOS : random.nextLong(1, CRASHING_NANOS_MAX);
            return new Fault.LoseGroup(
                    random.nextLong(withinNanos),
                    random.nextInt(GROUPS_MAX),
                    random.nextInt(3) == 0 ? random.nextInt(1, 3) : 0,
                    crashing,
                    awayNanos(random));
        });
    }

    /** These faults, and bricks that crash one after the other within a time, and come back together. */
    FaultPlan andLossesInTurn(RandomGenerator random, int bricks, long withinNanos) {
        return and(random.nextInt(1, 3), () -> {
            long away = random.nextLong(AWAY_IN_TURN_NANOS_MIN, AWAY_IN_TURN_NANOS_MAX);
            return new Fault.LoseInTurn(random.nextLong(withinNanos / 2 + 1), bricks, away);
        });
    }

    /** These faults, and a brick that crashes while no coordinator leads. */
    FaultPlan andAHeadlessCrash(RandomGenerator random, List<String> bricks, long withinNanos) {
        return and(
                1,
                () -> new Fault.Headless(
                        random.nextLong(withinNanos),
                        random.nextLong(1_000 * MILLI, 4_000 * MILLI),
                        bricks.get(random.nextInt(bricks.size())),
                        length(random)));
    }

    /** These faults, and an old process of a brick that comes back beside its successor. */
    FaultPlan andATakeOver(RandomGenerator random, List<String> bricks, long withinNanos) {
        return and(
                1,
                () -> new Fault.TakeOver(
                        random.nextLong(withinNanos),
                        bricks.get(random.nextInt(bricks.size())),
                        random.nextBoolean(),
                        random.nextLong(5 * MILLI, 2_000 * MILLI),
                        length(random)));
    }

    /**
     * These faults, and crashes of bricks within a time: some of two or three bricks at about the same time, and some
     * of bricks that stay away for long.
     */
    FaultPlan andCrashes(RandomGenerator random, List<String> bricks, long withinNanos) {
        List<Fault> all = new ArrayList<>(faults);
        for (int k = random.nextInt(1, CRASHES_MAX); k > 0; k--) {
            long atNanos = random.nextLong(withinNanos);
            for (int together = random.nextInt(3) > 0 ? 1 : random.nextInt(2, 4); together > 0; together--) {
                String brick = bricks.get(random.nextInt(bricks.size()));
                all.add(new Fault.Crash(atNanos + random.nextLong(TOGETHER_NANOS), brick, awayNanos(random)));
            }
        }
        return sorted(all);
    }

    private static long awayNanos(RandomGenerator random) {
        return random.nextInt(5) == 0
                ? random.nextLong(3_000 * MILLI, 15_000 * MILLI)
                : random.nextLong(5 * MILLI, 3_000 * MILLI);
    }

    /** These faults, and memory that is short for a time. */
    FaultPlan andSqueezes(RandomGenerator random, List<String> bricks, long withinNanos) {
        return and(random.nextInt(1, 4), () -> {
            String brick = bricks.get(random.nextInt(bricks.size()));
            long freeBytes = random.nextLong(MEMORY_LEFT_BYTES_MAX);
            return new Fault.Squeeze(random.nextLong(withinNanos), brick, freeBytes, length(random));
        });
    }

    /**
     * These faults, and two bricks that can't reach each other for long; long before the time is over, so that the
     * clients have to live with it.
     */
    FaultPlan andBricksApart(RandomGenerator random, List<String> bricks, long withinNanos) {
        List<String> two = new ArrayList<>(bricks);
        String one = two.remove(random.nextInt(two.size()));
        String other = two.get(random.nextInt(two.size()));
        long atNanos = random.nextLong(withinNanos / 2 + 1);
        return and(1, () -> new Fault.Apart(atNanos, one, other, random.nextLong(3_000 * MILLI, 9_000 * MILLI)));
    }

    /** These faults, and a coordinator that is paused for so long within a time. */
    FaultPlan andALongPause(RandomGenerator random, String coordinator, long forNanos, long withinNanos) {
        return and(1, () -> new Fault.Pause(random.nextLong(withinNanos), coordinator, forNanos));
    }

    /** The faults with the given numbers, from 0 on. */
    public FaultPlan only(List<Integer> numbers) {
        return new FaultPlan(numbers.stream().map(faults::get).toList());
    }

    /** The least world time in which the clock of a brick may advance by so much. */
    public long leastNanos(long nanos) {
        long fastestPpm = 0;
        long leapsNanos = 0;
        for (Fault fault : faults) {
            if (fault instanceof Fault.Drift drift && ClusterPlan.isBrick(drift.node())) {
                fastestPpm = Math.max(fastestPpm, drift.ppm());
            } else if (fault instanceof Fault.Jump jump && ClusterPlan.isBrick(jump.node())) {
                leapsNanos += jump.byNanos();
            }
        }
        return Math.max(0, nanos * 1_000_000 / (1_000_000 + fastestPpm) - leapsNanos);
    }

    /** Whether connections are lost. */
    public boolean losesConnections() {
        return faults.stream().anyMatch(Fault.Lose.class::isInstance);
    }

    /** Whether partitions may be lost for good. */
    public boolean losesMemory() {
        return faults.stream()
                .anyMatch(fault -> fault instanceof Fault.Crash crash && ClusterPlan.isBrick(crash.node())
                        || fault instanceof Fault.TakeOver
                        || fault instanceof Fault.LoseInTurn
                        || fault instanceof Fault.LoseGroup);
    }

    /** Whether parity groups may lose more members than they can lack. */
    boolean losesGroups() {
        return faults.stream().anyMatch(Fault.LoseGroup.class::isInstance);
    }

    /** Draws a duration: mostly short, sometimes longer than the timeouts of other nodes. */
    private static long length(RandomGenerator random) {
        return random.nextInt(4) == 0
                ? random.nextLong(500 * MILLI, 4_000 * MILLI)
                : random.nextLong(5 * MILLI, 300 * MILLI);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (int k = 0; k < faults.size(); k++) {
            text.append("    fault ")
                    .append(k)
                    .append(' ')
                    .append(faults.get(k))
                    .append('\n');
        }
        return text.isEmpty() ? "    no faults\n" : text.toString();
    }
}
