package io.sdds.bench.joins;

import io.sdds.bench.load.LoadException;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * How long the parts of a distributed nested loop take, each measured alone and in one thread.
 *
 * @param packets number of packets
 * @param persons number of persons
 * @param scanNanos time of a brick for a packet, whatever it holds
 * @param personNanos time of a brick for each person that it holds, for a packet
 * @param joinNanos time of the client for the answers to a packet
 * @param messageNanos time of each end for a message
 * @param packetBytes bytes of the answers to a packet
 */
public record ServiceTimes(
        int packets,
        int persons,
        double scanNanos,
        double personNanos,
        double joinNanos,
        double messageNanos,
        double packetBytes) {
    private static final int PART = 4;
    private static final int MEASURED_PACKETS = 100;

    /**
     * Measures the kernel of bricks over all persons and over a part of them, and the join of their answers.
     *
     * @param messageNanos time of each end for a message
     * @param repeats measurements, of which the shortest counts, in which the thread waited least for a processor
     */
    public static ServiceTimes measured(List<Person> persons, int packet, double messageNanos, int repeats) {
        List<Person> part = persons.subList(0, Math.max(1, persons.size() / PART));
        List<Person> outer = persons.subList(0, Math.min(persons.size(), packet * MEASURED_PACKETS));
        int measured = packets(outer.size(), packet);
        try (OneSite all = new OneSite(persons);
                OneSite some = new OneSite(part)) {
            double bytes = (double) all.scans(outer, packet, true) / measured;
            double whole = nanos(repeats, () -> all.scans(outer, packet, true)) / measured;
            double little = nanos(repeats, () -> some.scans(outer, packet, true)) / measured;
            double both = nanos(repeats, () -> all.couples(outer, packet, true).count()) / measured;
            double person = Math.max(0, (whole - little) / Math.max(1, persons.size() - part.size()));
            return new ServiceTimes(
                    packets(persons.size(), packet),
                    persons.size(),
                    Math.max(0, whole - person * persons.size()),
                    person,
                    Math.max(0, both - whole),
                    messageNanos,
                    bytes);
        }
    }

    private static int packets(int persons, int packet) {
        return (persons + packet - 1) / packet;
    }

    private static double nanos(int repeats, LongSupplier work) {
        long shortest = Long.MAX_VALUE;
        long expected = work.getAsLong(); // warms the code up
        for (int k = 0; k < repeats; k++) {
            long began = System.nanoTime();
            long result = work.getAsLong();
            shortest = Math.min(shortest, System.nanoTime() - began);
            if (result != expected) {
                throw new LoadException("the kernel returned " + result + " instead of " + expected);
            }
        }
        return shortest;
    }

    /** Nanoseconds of the scan of all persons for a packet. */
    public double scanOfAllNanos() {
        return scanNanos + persons * personNanos;
    }

    /** Seconds of one machine that holds all persons and sends no message. */
    public double oneSiteSeconds() {
        return packets * (scanOfAllNanos() + joinNanos) / 1e9;
    }
}
