package io.sdds.sql;

import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.sdds.sql.plan.SddsScan;
import io.sdds.sql.run.BatchWrite;
import io.sdds.sql.run.KeyRead;
import io.sdds.sql.schema.SddsSchema;
import io.sdds.sql.schema.SddsTable;

/** Which packages of this module use which: the order of docs/code-map.md. */
@AnalyzeClasses(packages = "io.sdds.sql", importOptions = ImportOption.DoNotIncludeTests.class)
class LayersTest {
    @ArchTest
    static final ArchRule packagesUseOnlyThoseBelow = layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .layer("root")
            .definedBy("io.sdds.sql")
            .layer("jdbc")
            .definedBy("io.sdds.sql.jdbc")
            .layer("local")
            .definedBy("io.sdds.sql.local")
            .layer("plan")
            .definedBy("io.sdds.sql.plan")
            .layer("statement")
            .definedBy("io.sdds.sql.statement")
            .layer("run")
            .definedBy("io.sdds.sql.run")
            .layer("shipped")
            .definedBy("io.sdds.sql.shipped")
            .layer("schema")
            .definedBy("io.sdds.sql.schema")
            .layer("duckdb")
            .definedBy("io.sdds.sql.duckdb")
            .layer("error")
            .definedBy("io.sdds.sql.error")
            .whereLayer("root")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("jdbc")
            .mayOnlyBeAccessedByLayers("root")
            .whereLayer("local")
            .mayOnlyBeAccessedByLayers("root")
            .whereLayer("plan")
            .mayOnlyBeAccessedByLayers("root", "local")
            .whereLayer("statement")
            .mayOnlyBeAccessedByLayers("root", "jdbc", "local", "plan")
            .whereLayer("run")
            .mayOnlyBeAccessedByLayers("root", "jdbc", "local", "plan", "statement")
            .whereLayer("shipped")
            .mayOnlyBeAccessedByLayers("root", "jdbc", "local", "plan", "statement", "run")
            .whereLayer("schema")
            .mayOnlyBeAccessedByLayers("root", "jdbc", "local", "plan", "statement", "run", "shipped")
            .whereLayer("duckdb")
            .mayOnlyBeAccessedByLayers("root", "jdbc", "local", "schema")
            // The engine asks a table for its operator.
            .ignoreDependency(SddsTable.class, SddsScan.class)
            // What a batch runs of a plan that is kept.
            .ignoreDependency(SddsSchema.class, BatchWrite.class)
            .ignoreDependency(SddsSchema.Planned.class, BatchWrite.class)
            .ignoreDependency(SddsSchema.Planned.class, KeyRead.class);
}
