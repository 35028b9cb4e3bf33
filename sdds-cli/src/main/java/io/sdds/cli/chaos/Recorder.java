package io.sdds.cli.chaos;

import io.sdds.testkit.check.HistoryFile;
import io.sdds.testkit.check.Operation;
import io.sdds.testkit.check.Operation.Result;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Records the operations of all clients by generation of keys, until a generation is removed for its check.
 * Thread-safe.
 */
final class Recorder {
    private final @Nullable Appendable file;
    private final Map<Integer, Map<Long, Event.Begun>> open = new HashMap<>();
    private final TreeMap<Integer, List<Operation>> generations = new TreeMap<>();
    private final Map<Integer, Map<Long, Event.Adds>> adding = new HashMap<>();
    private final Sums sums = new Sums();
    private final Map<Event.Check, Long> checks = new EnumMap<>(Event.Check.class);
    private long additions;
    private final List<String> wrongs = new ArrayList<>();
    private int closedBelow;
    private long operations;
    private long refused;
    private long unknown;

    /**
     * Numbers of operations that have ended.
     *
     * @param queries queries whose answers were checked
     * @param additions additions to counters
     * @param expiries reads that found an expired record missing; each was checked for a premature expiry
     */
    record Counts(long operations, long refused, long unknown, long queries, long additions, long expiries) {}

    /** @param file output for one line for each operation; null for no output */
    Recorder(@Nullable Appendable file) {
        this.file = file;
    }

    synchronized void take(int client, Event event) {
        Map<Long, Event.Begun> ofClient = open.computeIfAbsent(client, number -> new HashMap<>());
        switch (event) {
            case Event.Begun begun -> ofClient.put(begun.number(), begun);
            case Event.Ended ended -> {
                Event.Begun begun = ofClient.remove(ended.number());
                if (begun != null) {
                    add(client, begun, ended.result(), ended.out(), ended.endNanos());
                }
            }
            case Event.Adds adds ->
                adding.computeIfAbsent(client, number -> new HashMap<>()).put(adds.number(), adds);
            case Event.Added added -> {
                Event.Adds adds = adding.computeIfAbsent(client, number -> new HashMap<>())
                        .remove(added.number());
                if (adds != null) {
                    add(adds, added.result());
                }
            }
            case Event.Checked checked -> checks.merge(checked.check(), 1L, Long::sum);
            case Event.Wrong wrong -> wrongs.add(wrong.text());
        }
    }

    private void add(Event.Adds adds, Result result) {
        additions++;
        if (result == Result.OK) {
            sums.acknowledge(adds.counter(), adds.delta());
        } else if (result == Result.UNKNOWN) {
            sums.unknown(adds.counter(), adds.delta());
        }
    }

    /** Descriptions of the wrong answers that clients saw. */
    synchronized List<String> wrongs() {
        return List.copyOf(wrongs);
    }

    /** Sums of the additions to counters. Complete when all clients have ended. */
    synchronized Sums sums() {
        return sums;
    }

    /**
     * A client process has ended and all its events were taken. Its open operations have an unknown outcome for ever.
     */
    synchronized void gone(int client) {
        Map<Long, Event.Begun> ofClient = open.remove(client);
        if (ofClient != null) {
            ofClient.values().forEach(begun -> add(client, begun, Result.UNKNOWN, null, Operation.OPEN));
        }
        Map<Long, Event.Adds> addsOfClient = adding.remove(client);
        if (addsOfClient != null) {
            addsOfClient.values().forEach(adds -> add(adds, Result.UNKNOWN));
        }
    }

    private void add(int client, Event.Begun begun, Result result, @Nullable String out, long endNanos) {
        operations++;
        refused += result == Result.REFUSED ? 1 : 0;
        unknown += result == Result.UNKNOWN ? 1 : 0;
        Operation operation = new Operation(
                client,
                begun.kind(),
                begun.key(),
                begun.value(),
                begun.expected(),
                result,
                out,
                begun.startNanos(),
                result == Result.UNKNOWN ? Operation.OPEN : endNanos);
        int generation = Keys.generationOf(begun.key());
        if (generation >= closedBelow) { // otherwise a client was paused for long, and the keys were checked already
            generations.computeIfAbsent(generation, g -> new ArrayList<>()).add(operation);
        }
        write(operation);
    }

    private void write(Operation operation) {
        try {
            if (file != null) {
                HistoryFile.write(file, operation);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write the history: " + e.getMessage(), e);
        }
    }

    /** Whether an operation on a key of the generation is still open. */
    synchronized boolean isOpen(int generation) {
        return open.values().stream()
                .flatMap(ofClient -> ofClient.values().stream())
                .anyMatch(begun -> Keys.generationOf(begun.key()) == generation);
    }

    /**
     * Removes and returns all operations on the keys of a generation. Generations are removed in ascending order. Later
     * operations on these keys are ignored. Open operations count as operations of unknown outcome.
     */
    synchronized List<Operation> close(int generation) {
        List<Operation> all = new ArrayList<>();
        List<Operation> ended = generations.remove(generation);
        if (ended != null) {
            all.addAll(ended);
        }
        open.forEach((client, ofClient) -> ofClient.values().stream()
                .filter(begun -> Keys.generationOf(begun.key()) == generation)
                .forEach(begun -> all.add(new Operation(
                        client,
                        begun.kind(),
                        begun.key(),
                        begun.value(),
                        begun.expected(),
                        Result.UNKNOWN,
                        null,
                        begun.startNanos(),
                        Operation.OPEN))));
        closedBelow = Math.max(closedBelow, generation + 1);
        return all;
    }

    synchronized Counts counts() {
        return new Counts(
                operations,
                refused,
                unknown,
                checks.getOrDefault(Event.Check.QUERY, 0L),
                additions,
                checks.getOrDefault(Event.Check.EXPIRY, 0L));
    }
}
