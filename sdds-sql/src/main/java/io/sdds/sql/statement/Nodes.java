package io.sdds.sql.statement;

import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.jspecify.annotations.Nullable;

/** Looks for nodes of a parse tree: its calls, names and parameters. */
public final class Nodes extends SqlBasicVisitor<@Nullable Void> {
    private final Predicate<SqlNode> wanted;
    private final Predicate<SqlCall> leftOut;
    private @Nullable SqlNode found;

    private Nodes(Predicate<SqlNode> wanted, Predicate<SqlCall> leftOut) {
        this.wanted = wanted;
        this.leftOut = leftOut;
    }

    /** The first node of a kind, from left to right; null: there is none. */
    public static @Nullable SqlNode find(SqlNode tree, Predicate<SqlNode> wanted) {
        Nodes nodes = new Nodes(wanted, call -> false);
        tree.accept(nodes);
        return nodes.found;
    }

    /** Whether a tree has a node of a kind. */
    public static boolean has(SqlNode tree, Predicate<SqlNode> wanted) {
        return find(tree, wanted) != null;
    }

    /**
     * Whether a tree has a node of a kind.
     *
     * @param leftOut calls that are not looked into; they themselves are
     */
    public static boolean has(SqlNode tree, Predicate<SqlNode> wanted, Predicate<SqlCall> leftOut) {
        Nodes nodes = new Nodes(wanted, leftOut);
        tree.accept(nodes);
        return nodes.found != null;
    }

    /** Whether a part of a query block has a node of a kind outside of subqueries. */
    public static boolean hasOutsideQueries(SqlNode tree, Predicate<SqlNode> wanted) {
        return has(tree, wanted, Nodes::isQuery);
    }

    /** Whether an expression has a window of its own query block. */
    public static boolean hasWindow(SqlNode expression) {
        return hasOutsideQueries(expression, node -> node.getKind() == SqlKind.OVER);
    }

    /** Goes through all nodes of a kind. */
    public static <N extends SqlNode> void each(SqlNode tree, Class<N> kind, Consumer<N> action) {
        has(tree, node -> {
            if (kind.isInstance(node)) {
                action.accept(kind.cast(node));
            }
            return false;
        });
    }

    public static boolean isQuery(SqlNode node) {
        return node.getKind().belongsTo(SqlKind.QUERY);
    }

    @Override
    public @Nullable Void visit(SqlCall call) {
        look(call);
        return found != null || leftOut.test(call) ? null : super.visit(call);
    }

    @Override
    public @Nullable Void visit(SqlIdentifier name) {
        return look(name);
    }

    @Override
    public @Nullable Void visit(SqlDynamicParam parameter) {
        return look(parameter);
    }

    private @Nullable Void look(SqlNode node) {
        found = found == null && wanted.test(node) ? node : found;
        return null;
    }
}
