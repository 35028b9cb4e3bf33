package io.sdds.sql.local;

import io.sdds.sql.duckdb.LocalDatabase;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.calcite.rel.RelRoot;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlBasicTypeNameSpec;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.validate.SqlValidator;
import org.jspecify.annotations.Nullable;

/**
 * Plans a query that the database at the client evaluates. Nothing of it passes an optimizer of ours: each table
 * reference ships what the conditions of its query block leave, and the rest keeps the statement's own text.
 */
public final class LocalPlanner {
    /** Makes the plan of a query of one table, which no rule has changed. */
    public interface Converter {
        RelRoot of(SqlNode query);
    }

    private final LocalDatabase database;
    private final @Nullable Converter converter;

    /** @param converter null: all rows of a table are shipped */
    public LocalPlanner(LocalDatabase database, @Nullable Converter converter) {
        this.database = database;
        this.converter = converter;
    }

    /**
     * The query of a statement.
     *
     * @param parsed the statement as it was parsed
     * @param validated another parse of the same text, which the validator has changed
     * @param columns the types of the result
     * @param parameters their types
     */
    public LocalQuery query(
            SqlNode parsed,
            SqlNode validated,
            SqlValidator validator,
            String original,
            List<RelDataType> columns,
            List<RelDataType> parameters) {
        Refusals.check(validated, validator);
        List<Shipment> shipments = new ArrayList<>();
        Map<SqlParserPos, Integer> numbers = new HashMap<>();
        List<TableReference> references = TableReferences.of(validated, validator);
        for (TableReference reference : references) {
            numbers.put(reference.place(), shipments.size());
            shipments.add(shipment(reference));
        }
        Map<SqlParserPos, SqlBasicTypeNameSpec> casts = TypedCasts.of(validated, validator);
        SqlNode divided = converter == null
                ? parsed
                : parsed.accept(new GroupedBlocks(
                        numbers, shipments, converter, average -> casts.get(average.getParserPosition())));
        LocalRewrite rewriting =
                new LocalRewrite(numbers, casts, Quantifiers.correlated(validated), FilledTexts.unfilled(parsed));
        SqlNode rewritten =
                Objects.requireNonNull(Objects.requireNonNull(divided).accept(rewriting));
        List<Reduction> reductions =
                converter == null ? List.of() : Reductions.of(references, shipments.subList(0, references.size()));
        LocalText text = LocalText.of(rewritten, original, parameters);
        List<Integer> order = text.shipments();
        return new LocalQuery(
                database,
                text.parts(),
                order.stream().map(shipments::get).toList(),
                reductions.stream()
                        .filter(reduction -> order.contains(reduction.table()) && order.contains(reduction.by()))
                        .map(reduction -> reduction.ordered(order))
                        .toList(),
                columns,
                text.parameters());
    }

    private Shipment shipment(TableReference reference) {
        SqlNode condition = reference.condition();
        if (condition == null || converter == null) {
            return Shipment.whole(reference.table());
        }
        SqlSelect query = Selects.of(List.of(SqlIdentifier.star(SqlParserPos.ZERO)), reference.from(), condition);
        try {
            return Shipment.of(reference.table(), converter.of(query).rel);
        } catch (RuntimeException | AssertionError e) {
            // The condition is valid, and Calcite has no expression for it: the client tests it.
            return Shipment.whole(reference.table());
        }
    }
}
