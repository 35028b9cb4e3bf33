package io.sdds.client.internal.query;

import io.sdds.client.Cursor;
import io.sdds.client.internal.ClientRuntime;
import io.sdds.client.internal.routing.CursorToken;
import io.sdds.client.internal.routing.RoutedTable;
import io.sdds.client.internal.routing.Sweep;
import io.sdds.core.protocol.RequestFrame;
import io.sdds.core.query.Output;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Runs a query as a sweep over the table, whose blocks a cursor or a consumer takes. Futures complete on the loop. */
public abstract class QueryPlan<K, V> {
    static final int BLOCK_BYTES = 128 << 10;

    /** Most bytes of an answer with groups: the more groups an answer has, the less often one is merged. */
    private static final int GROUPS_BYTES = 1 << 20;

    private final QuerySpec<K, V> spec;

    QueryPlan(QuerySpec<K, V> spec) {
        this.spec = spec;
    }

    public final QuerySpec<K, V> spec() {
        return spec;
    }

    public final ClientRuntime runtime() {
        return spec.runtime();
    }

    /** The number of records that pass the filter, at most the limit. The bricks count. */
    public abstract CompletableFuture<Long> countAsync();

    /** Waits for {@link #countAsync} and returns its result. */
    public final long count() {
        runtime().checkMayBlock();
        return ClientRuntime.await(countAsync());
    }

    /** Passes each record to the consumer. After the future is cancelled, the query sends no more requests. */
    public final CompletableFuture<Void> forEachAsync(BiConsumer<? super K, ? super V> consumer) {
        return new Delivery<>(spec, this::sweep, entries(consumer)).start();
    }

    static <K, V> Consumer<Map.Entry<K, V>> entries(BiConsumer<? super K, ? super V> consumer) {
        return entry -> consumer.accept(entry.getKey(), entry.getValue());
    }

    /** Opens a cursor over all results, in the order that is fastest. */
    public Cursor<K, V> open() {
        return openResumable();
    }

    /** Opens a cursor that has a token. */
    public final Cursor<K, V> openResumable() {
        return begun(new BlockCursor<>(this, null));
    }

    /**
     * Opens a cursor at the position of another cursor of the same query.
     *
     * @throws IllegalArgumentException when the text is no token, or a token of another table or query
     */
    public final Cursor<K, V> open(String token) {
        CursorToken from = CursorToken.parse(token);
        Sweep.Origin origin = presentOrigin();
        if (from.table() != origin.table().id()) {
            throw new IllegalArgumentException("the token is of a cursor of table number " + from.table() + ", '"
                    + spec.table().name() + "' is number " + origin.table().id());
        }
        if (from.scan() != check(origin)) {
            throw new IllegalArgumentException(
                    "the token is of a scan with another filter or range, of keys where this one is of records, or of"
                            + " another cluster");
        }
        return begun(new BlockCursor<>(this, from, origin));
    }

    /**
     * The token of a cursor of this query.
     *
     * @param of where the cursor's records are from; null if it has none yet
     */
    final CursorToken token(Sweep.@Nullable Origin of, boolean atEnd, byte @Nullable [] key) {
        Sweep.Origin origin = of == null ? presentOrigin() : of;
        return new CursorToken(origin.table().id(), check(origin), atEnd, key);
    }

    private Sweep.Origin presentOrigin() {
        RoutedTable.Identity table = spec.table().identity();
        return new Sweep.Origin(table, spec.table().node().cluster().id());
    }

    final Cursor<K, V> begun(BlockCursor<K, V> cursor) {
        runtime().checkMayBlock();
        cursor.start();
        return cursor;
    }

    /** The checksum of the query in a cluster, because tables of other clusters may have the same number. */
    private int check(Sweep.Origin origin) {
        return check() ^ origin.cluster().hashCode();
    }

    /** A checksum that differs between different queries of a table. */
    abstract int check();

    /** A sweep over all results, in the order in which a consumer gets them. */
    abstract Sweep sweep(Sweep.Sink sink);

    /** A sweep over all results, several parts at a time, in no order. With a limit the first results come first. */
    abstract Sweep unorderedSweep(Sweep.Sink sink);

    /** The same query for keys alone. */
    abstract QueryPlan<K, Void> keys();

    /** A sweep whose blocks have the tuples of a query's program. */
    abstract Sweep sweep(CompiledQuery query, Sweep.Sink sink);

    /** The question of a sweep for the tuples of a query's program. */
    final Sweep.Asked asked(byte opcode, CompiledQuery query, int parallel) {
        boolean hasGroups = query.program().output() instanceof Output.Aggregate;
        return new Sweep.Asked(
                opcode, RequestFrame.SCAN_PROGRAM, query.encoded(), hasGroups ? GROUPS_BYTES : BLOCK_BYTES, parallel);
    }

    /** Has the sweep fetch records if the client shall evaluate programs. */
    final Sweep configured(Sweep sweep) {
        if (!runtime().node().settings().pushdown()) {
            sweep.fetchRecords();
        }
        return sweep;
    }

    /** A sweep of one block after the other, from behind a key on; null: from the beginning. */
    abstract Sweep sweepBehind(byte @Nullable [] key, Sweep.Sink sink);

    /** The records of a block in the order in which a cursor gives them, without the records up to a key. */
    abstract byte[] arranged(byte[] block, byte @Nullable [] upTo);
}
