package io.sdds.client.internal.routing;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sdds.core.protocol.Status;
import io.sdds.core.query.EvaluationFailure;
import io.sdds.core.query.Output;
import io.sdds.core.query.Program;
import io.sdds.core.query.ProgramDecoder;
import io.sdds.core.query.RowEvaluator;
import io.sdds.core.query.TupleCodec;
import io.sdds.core.query.ValueOrder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a fake brick answers of a program about an interval. */
final class FakePrograms {
    private final Program program;
    private final @Nullable ByteBuf bound;
    private final RowEvaluator evaluator;

    /** A program that has failed for a record. */
    static final class Failed extends RuntimeException {
        private static final long serialVersionUID = 1;

        final byte status;

        Failed(byte status, String message) {
            super(message);
            this.status = status;
        }
    }

    /** @param bound of the order of a TOP; null: none */
    FakePrograms(ByteBuf encoded, @Nullable ByteBuf bound) {
        ProgramDecoder decoder = new ProgramDecoder(encoded);
        Program decoded = null;
        while (decoded == null) {
            decoded = decoder.advance(Integer.MAX_VALUE);
        }
        this.program = decoded;
        this.bound = bound;
        this.evaluator = new RowEvaluator(program);
    }

    boolean add(byte[] key, byte[] value) {
        try {
            return evaluator.add(key, value, 1);
        } catch (EvaluationFailure e) {
            throw new Failed(Status.QUERY_FAILED, e.error().text() + ", at a key");
        }
    }

    ByteBuf tuples() {
        ByteBuf out = Unpooled.buffer();
        TupleCodec codec = new TupleCodec(program.tuple());
        List<List<byte @Nullable []>> tuples = evaluator.drain();
        if (bound != null) {
            List<Output.SortKey> order = ((Output.Top) program.output()).order();
            List<byte @Nullable []> last = new TupleCodec(program.tuple().subList(0, order.size())).read(bound);
            tuples.removeIf(tuple -> ValueOrder.of(order, program.tuple()).compare(tuple, last) >= 0);
        }
        tuples.forEach(tuple -> codec.write(tuple, out));
        return out;
    }
}
