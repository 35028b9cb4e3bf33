package io.sdds.client.internal.routing;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sdds.core.protocol.Status;
import io.sdds.core.query.EvaluationFailure;
import io.sdds.core.query.Program;
import io.sdds.core.query.ProgramCodec;
import io.sdds.core.query.RowEvaluator;
import io.sdds.core.query.TupleCodec;

/** What a fake brick answers of a program about an interval. */
final class FakePrograms {
    private final Program program;
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

    FakePrograms(ByteBuf encoded) {
        this.program = ProgramCodec.decode(encoded);
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
        evaluator.drain().forEach(tuple -> codec.write(tuple, out));
        return out;
    }
}
