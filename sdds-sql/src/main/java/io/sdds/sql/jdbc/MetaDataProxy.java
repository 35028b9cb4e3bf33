package io.sdds.sql.jdbc;

import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What this driver says of itself where the engine would say something else. */
final class MetaDataProxy extends JdbcProxy {
    private static final int JDBC_MINOR = 3;

    private static final Set<String> YES = names("""
        storesMixedCaseIdentifiers storesMixedCaseQuotedIdentifiers supportsBatchUpdates
        supportsAlterTableWithAddColumn supportsAlterTableWithDropColumn supportsSubqueriesInQuantifieds
        nullsAreSortedHigh
        """);

    private static final Set<String> NO = names("""
        allProceduresAreCallable isReadOnly nullsAreSortedAtEnd locatorsUpdateCopy supportsTransactions
        supportsSavepoints supportsMultipleTransactions supportsDataManipulationTransactionsOnly
        supportsStoredProcedures supportsStoredFunctionsUsingCallSyntax supportsCatalogsInDataManipulation
        supportsCatalogsInIndexDefinitions supportsCatalogsInPrivilegeDefinitions
        supportsCatalogsInProcedureCalls supportsCatalogsInTableDefinitions supportsSchemasInIndexDefinitions
        supportsSchemasInPrivilegeDefinitions supportsSchemasInProcedureCalls supportsANSI92FullSQL
        supportsANSI92IntermediateSQL supportsExtendedSQLGrammar supportsGetGeneratedKeys
        storesUpperCaseIdentifiers storesLowerCaseIdentifiers storesUpperCaseQuotedIdentifiers
        storesLowerCaseQuotedIdentifiers supportsMixedCaseIdentifiers supportsMixedCaseQuotedIdentifiers
        dataDefinitionCausesTransactionCommit ownUpdatesAreVisible ownDeletesAreVisible ownInsertsAreVisible
        othersUpdatesAreVisible othersDeletesAreVisible othersInsertsAreVisible updatesAreDetected
        deletesAreDetected insertsAreDetected
        """);

    private final Connection connection;
    private final DatabaseMetaData target;

    MetaDataProxy(JdbcSession session, Connection connection, DatabaseMetaData target) {
        super(session);
        this.connection = connection;
        this.target = target;
    }

    @Override
    Object target() {
        return target;
    }

    @Override
    @Nullable
    Object answer(Object proxy, Method method, @Nullable Object[] arguments) throws SQLException {
        String name = method.getName();
        if (name.equals("getConnection")) {
            return connection;
        }
        if (name.equals("getURL")) {
            return session.url();
        }
        if (method.getReturnType() == ResultSet.class) {
            session.requireOpen();
            ResultSet rows = new Catalog(session).answer(name, arguments);
            return rows == null
                    ? super.answer(proxy, method, arguments)
                    : made(ResultSet.class, new ResultProxy(session, rows, proxy, 0));
        }
        Object known = method.getReturnType() == boolean.class ? is(name, arguments) : constant(name);
        return known == null ? super.answer(proxy, method, arguments) : known;
    }

    private static Set<String> names(String text) {
        return Set.of(text.strip().split("\\s+"));
    }

    private static @Nullable Object constant(String method) {
        return switch (method) {
            case "getDefaultTransactionIsolation" -> Connection.TRANSACTION_NONE;
            case "getDatabaseProductName" -> "SDDS";
            case "getIdentifierQuoteString" -> "\"";
            case "getCatalogTerm", "getCatalogSeparator", "getProcedureTerm" -> "";
            case "getResultSetHoldability" -> ResultSet.HOLD_CURSORS_OVER_COMMIT;
            case "getSQLStateType" -> DatabaseMetaData.sqlStateSQL;
            case "getJDBCMinorVersion" -> JDBC_MINOR;
            default -> null;
        };
    }

    private static @Nullable Boolean is(String method, @Nullable Object[] arguments) {
        return switch (method) {
            case "supportsResultSetType" ->
                Integer.valueOf(ResultSet.TYPE_FORWARD_ONLY).equals(arguments[0]);
            case "supportsResultSetConcurrency" ->
                Integer.valueOf(ResultSet.TYPE_FORWARD_ONLY).equals(arguments[0])
                        && Integer.valueOf(ResultSet.CONCUR_READ_ONLY).equals(arguments[1]);
            case "supportsResultSetHoldability" ->
                Integer.valueOf(ResultSet.HOLD_CURSORS_OVER_COMMIT).equals(arguments[0]);
            case "supportsTransactionIsolationLevel" ->
                Integer.valueOf(Connection.TRANSACTION_NONE).equals(arguments[0]);
            default -> YES.contains(method) ? Boolean.TRUE : NO.contains(method) ? Boolean.FALSE : null;
        };
    }
}
