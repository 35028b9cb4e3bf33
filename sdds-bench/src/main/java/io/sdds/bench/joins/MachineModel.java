package io.sdds.bench.joins;

import java.util.Arrays;
import java.util.List;

/**
 * A model of the distributed nested loop on machines of their own, which this machine cannot be: one machine for the
 * client and one for each brick, each a server with a queue, with measured service times. Nothing of it is a
 * measurement of a network.
 *
 * <p>The client sends a packet to all bricks, keeps some packets ahead, and joins the answers in their order. Answers
 * share the link of the client.
 *
 * @param times service times on a machine of speed 1
 * @param speeds speed of the machine of each brick; that of the client is 1
 * @param shares part of the persons that each brick holds
 */
public record MachineModel(ServiceTimes times, List<Double> speeds, List<Double> shares) {
    /** Packets that the client has under way, as the driver of SDDS has them. */
    static final int AHEAD = 4;

    /** One way, between two machines. */
    public static final double LATENCY_NANOS = 50_000;

    /** Nanoseconds of a byte on the link of the client: 1 Gbit/s. */
    static final double BYTE_NANOS = 8;

    public MachineModel {
        speeds = List.copyOf(speeds);
        shares = List.copyOf(shares);
    }

    /** Machines of these speeds that hold equal parts. */
    public static MachineModel equal(ServiceTimes times, List<Double> speeds) {
        return new MachineModel(
                times, speeds, speeds.stream().map(speed -> 1.0 / speeds.size()).toList());
    }

    /** Machines of these speeds that hold parts in proportion to their speeds. */
    public static MachineModel weighted(ServiceTimes times, List<Double> speeds) {
        double sum = speeds.stream().mapToDouble(speed -> speed).sum();
        return new MachineModel(
                times, speeds, speeds.stream().map(speed -> speed / sum).toList());
    }

    /** Seconds of the join. */
    public double seconds() {
        int packets = times.packets();
        double[] arrived = new double[packets];
        double[] free = new double[speeds.size()];
        double link = 0;
        double client = 0;
        int sent = 0;
        for (int joined = 0; joined < packets; joined++) {
            while (sent < packets && sent < joined + AHEAD) {
                client += times.messageNanos() * speeds.size();
                link = answers(client + LATENCY_NANOS, free, link);
                arrived[sent] = link;
                sent++;
            }
            client = Math.max(client, arrived[joined]) + times.messageNanos() * speeds.size() + times.joinNanos();
        }
        return client / 1e9;
    }

    /**
     * A packet reaches all bricks at a time. Returns the time when the last answer has reached the client.
     *
     * @param free when each brick is free; is changed
     * @param link when the link of the client is free
     */
    private double answers(double at, double[] free, double link) {
        double[] bytes = new double[free.length];
        Integer[] order = new Integer[free.length];
        for (int brick = 0; brick < free.length; brick++) {
            double records = shares.get(brick) * times.persons();
            double service = 2 * times.messageNanos() + times.scanNanos() + records * times.personNanos();
            free[brick] = Math.max(free[brick], at) + service / speeds.get(brick);
            bytes[brick] = shares.get(brick) * times.packetBytes();
            order[brick] = brick;
        }
        Arrays.sort(order, (a, b) -> Double.compare(free[a], free[b]));
        double end = link;
        for (int brick : order) {
            end = Math.max(end, free[brick] + LATENCY_NANOS) + bytes[brick] * BYTE_NANOS;
        }
        return end;
    }

    /** Time of the join over that of one machine of speed 1 that does all work itself. */
    public double overOneSite() {
        return seconds() / times.oneSiteSeconds();
    }
}
