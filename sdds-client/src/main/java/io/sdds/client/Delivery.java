package io.sdds.client;

import io.sdds.client.internal.routing.Failure;
import io.sdds.client.internal.routing.ScatterSweep;
import io.sdds.client.internal.routing.Sweep;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;

/** The results of a scan, passed on as they come, on the loop. */
final class Delivery<K, V> implements Sweep.Sink {
    private final Query<K, V> scan;
    private final Consumer<? super Map.Entry<K, V>> consumer;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final Sweep sweep;
    private long left;

    Delivery(Query<K, V> scan, BiConsumer<? super K, ? super V> consumer) {
        this(scan, scan::sweep, entry -> consumer.accept(entry.getKey(), entry.getValue()));
    }

    /** @param made the sweep that delivers into a sink */
    Delivery(Query<K, V> scan, Function<Sweep.Sink, Sweep> made, Consumer<? super Map.Entry<K, V>> consumer) {
        this.scan = scan;
        this.consumer = consumer;
        this.left = scan.limit;
        this.sweep = made.apply(this);
    }

    /** However the future ends, nothing more is asked for then; also when its holder has cancelled it. */
    CompletableFuture<Void> start() {
        if (left == 0) {
            ended.complete(null);
            return ended;
        }
        ended.whenComplete((nothing, failure) -> scan.shell.executeIfOpen(sweep::stop));
        try {
            scan.shell.startSweep(sweep, scan.timeoutNanos);
        } catch (SddsException e) {
            ended.completeExceptionally(e);
        }
        return ended;
    }

    /** Of a query that ends with a time: what it had then. */
    WhatCame whatCame() {
        if (!(sweep instanceof ScatterSweep scatter)) {
            throw new IllegalStateException("only a query that ends with a time may leave something out");
        }
        return new WhatCame(scan.limit - left, left == 0 || scatter.isComplete(), scatter.left());
    }

    @Override
    public void covered(Sweep.Part part, long count, byte[] block) {
        try {
            Records<K, V> records = scan.records(block);
            for (; left > 0 && !ended.isDone() && records.hasNext(); left--) {
                consumer.accept(records.next());
            }
        } catch (Throwable e) { // also an error, else the future would never end
            ended.completeExceptionally(e);
        }
        if (left == 0) {
            ended.complete(null);
        }
        if (!ended.isDone()) {
            sweep.resume(part);
        }
    }

    @Override
    public void done() {
        ended.complete(null);
    }

    @Override
    public void failed(Failure failure, List<String> missing) {
        ended.completeExceptionally(IncompleteRangeException.of(failure, missing));
    }
}
