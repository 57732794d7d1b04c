document.getElementById("root");
