package io.sdds.sql.local;

import java.util.Objects;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.util.SqlShuttle;
import org.jspecify.annotations.Nullable;

/** Copies parts of a parse tree, because the validator changes what it is given. */
final class Copies extends SqlShuttle {
    private Copies() {}

    static SqlNode of(SqlNode node) {
        return Objects.requireNonNull(node.accept(new Copies()));
    }

    @Override
    public SqlNode visit(SqlIdentifier id) {
        return id.clone(id.getParserPosition());
    }

    @Override
    public @Nullable SqlNode visit(SqlCall call) {
        CallCopyingArgHandler copy = new CallCopyingArgHandler(call, true);
        call.getOperator().acceptCall(this, call, false, copy);
        return copy.result();
    }
}
