package io.sdds.client;

import io.sdds.client.routing.Failure;
import io.sdds.client.routing.Sweep;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;

/** The results of a scan, passed on as they come, on the loop. */
final class Delivery<K, V> implements Sweep.Sink {
    private final Scan<K, V> scan;
    private final BiConsumer<? super K, ? super V> consumer;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final Sweep sweep;
    private long left;

    Delivery(Scan<K, V> scan, BiConsumer<? super K, ? super V> consumer) {
        this.scan = scan;
        this.consumer = consumer;
        this.left = scan.limit();
        this.sweep = scan.sweep(this);
    }

    /** However the future ends, nothing more is asked for then; also when its holder has cancelled it. */
    CompletableFuture<Void> start() {
        ended.whenComplete((nothing, failure) -> scan.shell().executeIfOpen(sweep::stop));
        try {
            scan.shell().startSweep(sweep);
        } catch (SddsException e) {
            ended.completeExceptionally(e);
        }
        return ended;
    }

    @Override
    public void covered(Sweep.Part part, long count, byte[] block) {
        try {
            Records<K, V> records = scan.records(block);
            for (; left > 0 && !ended.isDone() && records.hasNext(); left--) {
                Map.Entry<K, V> entry = records.next();
                consumer.accept(entry.getKey(), entry.getValue());
            }
        } catch (RuntimeException e) {
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
